// The vorticity on the surface of a body: of known flows around a circle, and of bodies that are towed.
#include "solvers/problems/surface_vorticity.hpp"

#include <cmath>
#include <numbers>

#include "solvers/shape/parametrisation.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/flow/flow_solve.hpp"

using namespace cfdmark;

namespace {

constexpr double radius = 0.25, pi = std::numbers::pi;

// Returns what is found on a circle for a flow in its polar coordinates: velocity(r, angle) has the radial
// and the tangential part, counterclockwise.
std::optional<SurfaceVorticity> on_circle(
    const Grid& grid, const std::function<std::pair<double, double>(double, double)>& velocity,
    bool is_clockwise = false) {
  const FlowProblem problem = flow_with("tunnel", grid, {{"diameter", 2 * radius}});
  FlowFields flow = problem.start;
  for_each_cell(grid, false, [&](int i, int j, int) {
    const Centre at(problem.cell, i, j);
    const double x = at.x - 1, y = at.y - 0.5, r = std::hypot(x, y);
    const auto [out, along] = velocity(r, std::atan2(y, x));
    flow.u.set(i, j, 0, (out * x - along * y) / r), flow.v.set(i, j, 0, (out * y + along * x) / r);
  });
  Outline outline = problem.outline;
  if (is_clockwise) std::reverse(outline.corners.begin(), outline.corners.end());
  return surface_vorticity(outline, problem.cell, problem.faces, flow);
}

SolvedFlow towed(const Config& body) {
  Config settings = body;
  settings.set("reynolds", 0.1), settings.set("surface", std::string("distances"));
  settings.set("area", pi / 64);  // of a circle of diameter 1/4
  return solve_flow("tow", {128, 64}, settings, {.tolerance = 1e-4, .max_iterations = 20000});
}

}  // namespace

TEST_CASE("the vorticity of a known flow on a circle is found on its surface", "[flow][vorticity]") {
  const Grid grid = GENERATE(Grid{128, 32}, Grid{256, 128});
  SECTION("the same everywhere: between a circle at rest and fluid that turns") {
    const auto found = on_circle(grid, [](double r, double) {
      return std::pair{0.0, r - radius * radius / r};
    });
    REQUIRE(found);
    CHECK(found->mean == Approx(2).epsilon(0.01));
    CHECK(found->spread < 0.005);
    CHECK(found->points.front().vorticity > 0);
  }
  SECTION("as the sine of the angle: the stream function is (r - radius)^2 sin angle") {
    const bool is_clockwise = GENERATE(false, true);
    const auto found = on_circle(
        grid,
        [](double r, double angle) {
          const double gap = r - radius;
          return std::pair{gap * gap * std::cos(angle) / r, -2 * gap * std::sin(angle)};
        },
        is_clockwise);
    REQUIRE(found);
    for (const SurfacePoint& p : found->points)
      CHECK(p.vorticity == Approx(-2 * (p.place.y - 0.5) / radius).margin(0.05));
    CHECK(found->mean == Approx(4 / pi).epsilon(0.01));
    CHECK(found->spread == Approx(std::sqrt(pi * pi / 8 - 1)).epsilon(0.01));
  }
}

TEST_CASE("a body without an outline, or whose outline crosses itself, has no vorticity on its surface",
          "[flow][vorticity]") {
  const FlowProblem problem = flow_with("tunnel", {128, 32}, {{"diameter", 0.5}});
  const auto found = [&](const Outline& outline) {
    return surface_vorticity(outline, problem.cell, problem.faces, problem.start).has_value();
  };
  CHECK(found(problem.outline));
  CHECK_FALSE(found({}));
  CHECK_FALSE(found({{{0.8, 0.3}, {1.2, 0.7}, {1.2, 0.3}, {0.8, 0.7}}}));
}

// Body-fitted finite elements, as those of known_drag.cpp, meshes twice as fine change the drag by 3e-5.
TEST_CASE(
    "a towed ellipse near the optimum has a more even vorticity on its surface than a circle, as finite "
    "elements have",
    "[flow][vorticity]") {
  const SolvedFlow circle = towed({}),
                   ellipse = towed({{"shape", std::string("superellipse")}, {"aspect", 2.5}});
  for (const SolvedFlow* flow : {&circle, &ellipse}) CHECK(flow->outcome.converged);
  CHECK(circle.result("drag_coefficient") == Approx(439.30).epsilon(0.02));
  CHECK(ellipse.result("drag_coefficient") == Approx(360.52).epsilon(0.02));
  CHECK(circle.result("surface_vorticity_spread") == Approx(0.5317).epsilon(0.05));
  CHECK(ellipse.result("surface_vorticity_spread") == Approx(0.1724).margin(0.05));
}
