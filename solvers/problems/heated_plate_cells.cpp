// The heated plate by finite volumes, as in Shinn's work: temperatures at cell centres, one array per
// coefficient.
#include "solvers/problems/problem.hpp"

namespace cfdmark {

ProblemDescription heated_plate_cells_problem() {
  return {.name = "heated_plate_cells",
          .help = "heated_plate by finite volumes, at cell centres, with an array per coefficient",
          .in_3d = false,
          .at_cell_centres = true,
          .exact = [](const Config&, const Grid&, double x, double y,
                      double) { return heated_plate_solution(x, y); },
          .results = heated_plate_problem().results};
}

}  // namespace cfdmark
