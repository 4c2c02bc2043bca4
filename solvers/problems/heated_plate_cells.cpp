// The heated plate in finite volumes, as Shinn has it: temperatures at the centres of cells, an array for
// each coefficient.
#include <algorithm>
#include <cmath>

#include "solvers/problems/problem.hpp"

namespace cfdmark {
namespace {

// The centre of the cell that is the point x of the grid; of a ghost the face that it lies behind, whose
// value it holds.
double centre(double x, int cells) {
  const double index = std::round(x * (cells + 1)) - 1;
  return std::clamp((index + 0.5) / cells, 0.0, 1.0);
}

double exact(const Config&, const Grid& g, double x, double y, double) {
  return heated_plate_solution(centre(x, g.nx), centre(y, g.ny));
}

// Conductances of a cell's faces, scaled so that one between two cells in x is 1. A boundary is half as far.
std::vector<HostField> coefficients(const Config&, const Grid& g) {
  std::vector<HostField> arrays(5, HostField(g, Precision::fp64));
  const double wy = double(g.ny) * g.ny / (double(g.nx) * g.nx);
  for_each_cell_in_parallel(g, false, [&](int i, int j, int k) {
    const auto through = [](double weight, bool boundary) { return boundary ? 2 * weight : weight; };
    const double faces[] = {through(1, i == 0), through(1, i == g.nx - 1), through(wy, j == 0),
                            through(wy, j == g.ny - 1)};
    double all = 0;
    for (int n = 0; n < 4; ++n) {
      arrays[n].set(i, j, k, faces[n]);
      all += faces[n];
    }
    arrays[4].set(i, j, k, all);
  });
  return arrays;
}

}  // namespace

ProblemDescription heated_plate_cells_problem() {
  return {
      .name = "heated_plate_cells",
      .help = "heated_plate in finite volumes, at the centres of cells, with an array for each coefficient",
      .in_3d = false,
      .exact = exact,
      .coefficients = coefficients,
      .results = heated_plate_problem().results};
}

}  // namespace cfdmark
