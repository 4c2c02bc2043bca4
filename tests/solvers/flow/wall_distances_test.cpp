// Flows around bodies whose walls lie at their true distances from the cells.
#include <cmath>
#include <numbers>

#include "tests/catch.hpp"
#include "tests/solvers/flow/flow_solve.hpp"

using namespace cfdmark;

namespace {

constexpr int rows = 16;
constexpr double h = 1.0 / rows;

// Returns the flow in a periodic box above a body of this height, below a wall of this speed.
std::shared_ptr<FlowProblem> above_plane(double plane, double speed, double driving_force) {
  FlowBox box{.viscosity = 0.1, .periodic_x = true, .wall_distances = true};
  box.north.u = [=](double, double) { return speed; };
  box.is_body = [=](double, double y) { return y <= plane; };
  auto problem = std::make_shared<FlowProblem>(flow_in_box(Grid{8, rows}, box));
  problem->description = find_flow_problem("tunnel");
  problem->force_scale = 1, problem->driving_force = driving_force;
  return problem;
}

SolvedFlow solved(const std::shared_ptr<const FlowProblem>& problem, double tolerance = 1e-12) {
  return solve_flow_on(backend(BackendKind::serial), flow_method("simple", BackendKind::serial, "rhie_chow"),
                       problem, {.tolerance = tolerance, .max_iterations = 20000});
}

constexpr double circle = std::numbers::pi / 256;  // area of a circle of diameter 1/8

double drag(const Grid& grid, const Config& settings) {
  const SolvedFlow s = solve_flow("tunnel", grid, settings, {.tolerance = 1e-4});
  CHECK(s.outcome.converged);
  return s.result("drag_coefficient");
}

}  // namespace

// A linear profile is exact for the scheme if the distance of the wall is, here in 64ths of a cell.
TEST_CASE("Couette flow above a body is exact wherever its surface lies between two cells", "[flow][walls]") {
  for (const int parts : {1, 16, 32, 45, 64}) {
    INFO(parts << " / 64 of a cell");
    const double plane = (4.5 - parts / 64.0) * h;
    const auto problem = above_plane(plane, 1, 0);
    const SolvedFlow s = solved(problem);
    REQUIRE(s.outcome.converged);
    for (int j = 4; j < rows; ++j)
      CHECK(s.flow.u.get(3, j) == Approx(((j + 0.5) * h - plane) / (1 - plane)).epsilon(1e-9));
    CHECK(s.result("drag_coefficient") == Approx(0.1 / (1 - plane)).epsilon(1e-9));
  }
}

// The solution of the discrete equations between a wall at the distance t h from the first cell and one on a
// face: the parabola, plus t (G h^2 (1 - t) / (2 mu) + s h) + s (y - t h), with s = G h^2 (1 - 2 t)^2 / (8 mu
// L).
TEST_CASE("Poiseuille flow above a body differs from the parabola by the known second-order error",
          "[flow][walls]") {
  constexpr double force = 2, mu = 0.1;
  for (const int parts : {4, 16, 32, 60}) {
    INFO(parts << " / 64 of a cell");
    const double t = parts / 64.0, length = 1 - (4.5 - t) * h;
    const double slope = force * h * h * (1 - 2 * t) * (1 - 2 * t) / (8 * mu * length);
    const SolvedFlow s = solved(above_plane(1 - length, 0, force));
    REQUIRE(s.outcome.converged);
    for (int j = 4; j < rows; ++j) {
      const double y = (j - 4 + t) * h, parabola = force / (2 * mu) * y * (length - y);
      const double error = t * (force * h * h * (1 - t) / (2 * mu) + slope * h) + slope * (y - t * h);
      CHECK(s.flow.u.get(3, j) == Approx(parabola + error).epsilon(1e-8));
    }
  }
}

TEST_CASE("a body whose surface lies on faces has the same flow with true distances, bit by bit",
          "[flow][walls]") {
  const auto some = [](const char* wall) {
    return solve_flow("tunnel", {64, 16},
                      {{"shape", "rectangle"}, {"diameter", 0.25}, {"aspect", 1.0}, {"surface", wall}},
                      {.tolerance = 1e-30, .max_iterations = 30});
  };
  const SolvedFlow on_faces = some("staircase"), distances = some("distances");
  CHECK(largest_difference(on_faces.flow.u, distances.flow.u) == 0);
  CHECK(largest_difference(on_faces.flow.p, distances.flow.p) == 0);
  CHECK(on_faces.result("drag_coefficient") == distances.result("drag_coefficient"));
}

// Finite elements have 4.0854. Cells are twice as long as high: 4 and 8 along the circle.
TEST_CASE("with true distances the drag of a circle converges to the known value by more than first order",
          "[flow][walls]") {
  constexpr double known = 4.0854;
  const double coarse = drag({128, 64}, {{"surface", "distances"}}),
               fine = drag({256, 128}, {{"surface", "distances"}});
  INFO(coarse << " on 128x64, " << fine << " on 256x128");
  CHECK(fine == Approx(known).epsilon(0.0125));
  CHECK(std::abs(coarse - known) > 3 * std::abs(fine - known));
}

// The ellipse of least drag; finite elements have 3.0499.
TEST_CASE("with true distances the drag of a slender ellipse is within 0.5 % of the known value",
          "[flow][walls]") {
  const Config ellipse{
      {"shape", "superellipse"}, {"aspect", 5.0}, {"area", circle}, {"surface", "distances"}};
  CHECK(drag({256, 128}, ellipse) == Approx(3.0499).epsilon(0.005));
}

TEST_CASE("true distances bring the drag of a cylinder in a channel within 0.5 % of the benchmark",
          "[flow][walls]") {
  const SolvedFlow s = solve_flow("cylinder", {440, 82}, {{"surface", "distances"}}, {.tolerance = 1e-4});
  CHECK(s.outcome.converged);
  CHECK(s.result("drag_coefficient") == Approx(5.57953523384).epsilon(0.005));
}

TEST_CASE("bodies of one area have one fluid and one scale of forces", "[flow][walls]") {
  const auto reference = posed_flow("tunnel", {256, 128}, {});
  for (const double aspect : {1.0, 2.0, 5.0}) {
    const auto ellipse =
        posed_flow("tunnel", {256, 128}, {{"shape", "superellipse"}, {"aspect", aspect}, {"area", circle}});
    CHECK(ellipse->cell.viscosity == Approx(reference->cell.viscosity));
    CHECK(ellipse->force_scale == Approx(reference->force_scale));
    int cells = 0;
    for_each_cell(ellipse->grid, false,
                  [&](int i, int j, int) { cells += CellFaces{int(ellipse->faces.get(i, j))}.is_body(); });
    CHECK(cells * ellipse->cell.volume() == Approx(circle).epsilon(0.05));
  }
  CHECK_THROWS_WITH(posed_flow("tunnel", {256, 128}, {{"area", 0.8}}),
                    ContainsSubstring("1.01 high") && ContainsSubstring("smaller area"));
}

TEST_CASE("a body and its mirror image have the same drag and opposite lift", "[flow][walls]") {
  const auto solved_around = [](const char* outline) {
    const Config settings = TuningSpace{find_flow_problem("tunnel")->settings}.complete(
        {{"surface", "distances"}, {"area", 0.05}});
    const auto problem =
        std::make_shared<const FlowProblem>(tunnel_around(body_of_outline(outline), Grid{128, 32}, settings));
    return solved(problem, 1e-9);
  };
  const SolvedFlow up = solved_around("sine ln_length=0.5 b2=0.2 angle=10"),
                   down = solved_around("sine ln_length=0.5 b2=0.2 angle=-10");
  CHECK(up.result("drag_coefficient") == Approx(down.result("drag_coefficient")).epsilon(1e-5));
  CHECK(up.result("lift_coefficient") == Approx(-down.result("lift_coefficient")).epsilon(1e-5));
  CHECK(up.result("lift_coefficient") > 0.1);  // nose up
}

TEST_CASE("the projection method refuses true distances and names the solvers that have them",
          "[flow][walls]") {
  CHECK_THROWS_WITH(solve_flow("cylinder", {220, 41}, {{"surface", "distances"}},
                               {.solver = "projection", .method = "fused"}),
                    ContainsSubstring("--solver simple or piso"));
}
