#include "solvers/problems/flow_start.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cfdmark {
namespace {

CellFaces faces_at(const HostField& faces, int i, int j) { return {int(faces.get(i, j))}; }

// Values of a known flow between its cell centres.
class Interpolation {
 public:
  // For cells of a grid `to` of the same box.
  Interpolation(const KnownFlow& known, const Grid& to)
      : known_(known),
        scale_x_(double(known.faces.grid().nx) / to.nx),
        scale_y_(double(known.faces.grid().ny) / to.ny) {}

  // Moves to a cell of the grid `to`.
  void at(int i, int j) {
    const Grid& g = known_.faces.grid();
    const auto place = [](double x, int cells, int& first, double& share) {
      x = std::clamp(x, 0.0, double(cells - 1));
      first = std::min(int(x), cells - 2);
      share = x - first;
    };
    place((i + 0.5) * scale_x_ - 0.5, g.nx, first_i_, share_x_);
    place((j + 0.5) * scale_y_ - 0.5, g.ny, first_j_, share_y_);
  }
  double velocity(const HostField& of) const { return sums(of).value; }
  double pressure() const {
    const Sums found = sums(known_.flow.p);
    return found.weight > 0 ? found.value / found.weight : 0;
  }

 private:
  struct Sums {
    double value = 0, weight = 0;
  };
  // Of the fluid cells around the place.
  Sums sums(const HostField& of) const {
    Sums found;
    for (const int dj : {0, 1})
      for (const int di : {0, 1}) {
        const double weight = (di ? share_x_ : 1 - share_x_) * (dj ? share_y_ : 1 - share_y_);
        if (weight == 0 || faces_at(known_.faces, first_i_ + di, first_j_ + dj).is_solid()) continue;
        found.value += weight * of.get(first_i_ + di, first_j_ + dj), found.weight += weight;
      }
    return found;
  }

  const KnownFlow& known_;
  double scale_x_, scale_y_;
  int first_i_ = 0, first_j_ = 0;
  double share_x_ = 0, share_y_ = 0;
};

void start_cells(FlowProblem& problem, const KnownFlow& known) {
  Interpolation between(known, problem.grid);
  FlowFields& start = problem.start;
  for_each_cell(problem.grid, false, [&](int i, int j, int) {
    if (faces_at(problem.faces, i, j).is_solid()) return;
    between.at(i, j);
    start.u.set(i, j, 0, between.velocity(known.flow.u));
    start.v.set(i, j, 0, between.velocity(known.flow.v));
    start.p.set(i, j, 0, between.pressure());
  });
}

// Sets the mass flow of the west or south face of each cell, and of outlets in the east and north.
void start_faces(FlowProblem& problem, const KnownFlow& known, bool along_x) {
  const Grid& g = problem.grid;
  const FluidCell& cell = problem.cell;
  const bool has_one_grid = known.faces.grid() == g;
  const HostField &velocity = along_x ? problem.start.u : problem.start.v,
                  &given = along_x ? known.flow.mass_x : known.flow.mass_y;
  HostField& mass = along_x ? problem.start.mass_x : problem.start.mass_y;
  const double scale = cell.density * cell.area(along_x ? 0 : 1);
  const auto kind = [&](const HostField& faces, int i, int j) {
    const CellFaces of = faces_at(faces, i, j);
    return of.is_solid() ? FaceKind::fixed : along_x ? of.west() : of.south();
  };
  for_each_cell(g, false, [&](int i, int j, int) {
    const FaceKind here = kind(problem.faces, i, j);
    const int before_i = i - along_x, before_j = j - !along_x;
    if (here == FaceKind::fluid && before_i >= 0 && before_j >= 0) {
      const bool is_known = has_one_grid && kind(known.faces, i, j) == FaceKind::fluid;
      mass.set(
          i, j, 0,
          is_known ? given.get(i, j) : scale * 0.5 * (velocity.get(i, j) + velocity.get(before_i, before_j)));
    } else if (here == FaceKind::outlet) {
      mass.set(i, j, 0, scale * velocity.get(i, j));
    }
    const CellFaces of = faces_at(problem.faces, i, j);
    if (of.is_solid() || (along_x ? of.east() : of.north()) != FaceKind::outlet) return;
    mass.set(i + along_x, j + !along_x, 0, scale * velocity.get(i, j));
  });
}

}  // namespace

void start_from(FlowProblem& problem, const KnownFlow& known) {
  if (problem.grid.is_3d()) throw std::invalid_argument("only a 2-D flow can start from a known flow");
  start_cells(problem, known);
  start_faces(problem, known, true);
  start_faces(problem, known, false);
}

}  // namespace cfdmark
