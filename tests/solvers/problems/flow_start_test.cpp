// Starts of flows from known flows.
#include "solvers/problems/flow_start.hpp"

#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

FlowProblem tunnel(const Grid& g, double diameter = 0.25) {
  const FlowProblemDescription& description = *find_flow_problem("tunnel");
  return make_flow_problem(description, g,
                           TuningSpace{description.settings}.complete(Config{{"diameter", diameter}}));
}

// A flow whose velocities and pressure are linear in x and y, at every cell.
KnownFlow linear_flow(const FlowProblem& in) {
  KnownFlow known{in.start, in.faces};
  for_each_cell(in.grid, false, [&](int i, int j, int) {
    const Centre at(in.cell, i, j);
    known.flow.u.set(i, j, 0, 1 + at.x), known.flow.v.set(i, j, 0, at.y - 2 * at.x);
    known.flow.p.set(i, j, 0, 3 - at.x + at.y);
  });
  return known;
}

CellFaces faces(const FlowProblem& of, int i, int j) { return {int(of.faces.get(i, j))}; }

bool is_near_body(const FlowProblem& of, int i, int j, int cells) {
  for (int dj = -cells; dj <= cells; ++dj)
    for (int di = -cells; di <= cells; ++di) {
      const int at_i = i + di, at_j = j + dj;
      if (at_i < 0 || at_j < 0 || at_i >= of.grid.nx || at_j >= of.grid.ny) return true;
      if (faces(of, at_i, at_j).is_solid()) return true;
    }
  return false;
}

}  // namespace

TEST_CASE("linear fields are interpolated exactly to a finer grid, away from body and sides",
          "[flow][start]") {
  const FlowProblem coarse = tunnel({64, 24});
  FlowProblem fine = tunnel({128, 48});
  start_from(fine, linear_flow(coarse));
  int compared = 0;
  for_each_cell(fine.grid, false, [&](int i, int j, int) {
    if (is_near_body(fine, i, j, 3)) return;
    ++compared;
    const Centre at(fine.cell, i, j);
    CHECK(fine.start.u.get(i, j) == Approx(1 + at.x));
    CHECK(fine.start.v.get(i, j) == Approx(at.y - 2 * at.x).margin(1e-12));
    CHECK(fine.start.p.get(i, j) == Approx(3 - at.x + at.y));
    CHECK(fine.start.mass_x.get(i, j) == Approx(fine.cell.dy * (1 + at.x - fine.cell.dx / 2)));
  });
  CHECK(compared > 1000);
}

TEST_CASE("the start keeps the body, the walls and the inflow", "[flow][start]") {
  const FlowProblem coarse = tunnel({64, 24}), rest = tunnel({128, 48});
  FlowProblem fine = tunnel({128, 48});
  start_from(fine, linear_flow(coarse));
  for_each_cell(fine.grid, false, [&](int i, int j, int) {
    if (!faces(fine, i, j).is_solid()) return;
    CHECK(fine.start.u.get(i, j) == 0);
    CHECK(fine.start.p.get(i, j) == 0);
    CHECK(fine.start.mass_x.get(i, j) == 0);
    CHECK(fine.start.mass_x.get(i + 1, j) == 0);
    CHECK(fine.start.mass_y.get(i, j + 1) == 0);
  });
  for (int j = 0; j < fine.grid.ny; ++j) {
    CHECK(fine.start.mass_x.get(0, j) == rest.start.mass_x.get(0, j));
    CHECK(fine.start.u.get(-1, j) == rest.start.u.get(-1, j));
    // The outlet has the flow of its cells.
    CHECK(fine.start.mass_x.get(fine.grid.nx, j) ==
          Approx(fine.cell.dy * fine.start.u.get(fine.grid.nx - 1, j)));
  }
}

TEST_CASE("a flow on the same grid around the same body comes back as it was", "[flow][start]") {
  const FlowProblem other = tunnel({64, 24});
  FlowProblem problem = tunnel({64, 24});
  KnownFlow known = linear_flow(other);
  for_each_cell(other.grid, false, [&](int i, int j, int) {
    known.flow.mass_x.set(i, j, 0, 0.5 * i - j), known.flow.mass_y.set(i, j, 0, 7 + i * j);
  });
  start_from(problem, known);
  for_each_cell(problem.grid, false, [&](int i, int j, int) {
    const CellFaces cell = faces(problem, i, j);
    if (cell.is_solid()) return;
    CHECK(problem.start.u.get(i, j) == known.flow.u.get(i, j));
    CHECK(problem.start.p.get(i, j) == Approx(known.flow.p.get(i, j)));
    if (cell.west() == FaceKind::fluid) CHECK(problem.start.mass_x.get(i, j) == known.flow.mass_x.get(i, j));
    if (cell.south() == FaceKind::fluid) CHECK(problem.start.mass_y.get(i, j) == known.flow.mass_y.get(i, j));
  });
}

TEST_CASE("the flow next to a cell that was body there has the pressure of the fluid around it",
          "[flow][start]") {
  const FlowProblem large = tunnel({64, 24}, 0.5);
  FlowProblem small = tunnel({64, 24}, 0.25);
  KnownFlow known = linear_flow(large);
  for_each_cell(large.grid, false, [&](int i, int j, int) { known.flow.p.set(i, j, 0, 5); });
  start_from(small, known);
  int uncovered = 0;
  for_each_cell(small.grid, false, [&](int i, int j, int) {
    if (faces(small, i, j).is_solid()) return;
    const double p = small.start.p.get(i, j);
    if (!faces(large, i, j).is_solid())
      CHECK(p == Approx(5));
    else
      uncovered += p == 0;  // no fluid there
  });
  CHECK(uncovered > 0);
}
