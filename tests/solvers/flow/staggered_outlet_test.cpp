// The projection method with an outlet, and with a body.
#include "solvers/flow/staggered_outlet.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/solvers/flow/projection_solve.hpp"

using namespace cfdmark;

namespace {

const Config in_stable_steps{{"time_steps", "stable"}};

double outflow(const SolvedFlow& s, const Grid& g, int i) {
  double sum = 0;
  for (int j = 0; j < g.ny; ++j) sum += s.flow.mass_x.get(i, j);
  return sum;
}

}  // namespace

// Walls half a cell away make a parabola too fast by G h^2 / (8 mu), with G = 12 mu: by 1.5 h^2.
TEST_CASE("Poiseuille's flow leaves through both kinds of outlets as it came", "[flow][projection]") {
  const std::string outlet = GENERATE("pressure", "velocity"), method = GENERATE("plain", "fused");
  INFO(outlet << " " << method);
  const Grid g{64, 16};
  FlowOptions options = projected(in_stable_steps, 1e-7);
  options.method = method;
  const auto problem = posed_flow("channel", g, {{"reynolds", 10.0}, {"outlet", outlet}});
  const SolvedFlow s = solved(problem, options);
  CHECK(s.outcome.converged);
  CHECK(s.result("error_u_max") < 1.1 * 1.5 / (16 * 16));
  for (int j = 0; j < g.ny; ++j) CHECK(std::abs(s.flow.v.get(g.nx - 1, j)) < 1e-4);
  CHECK(outflow(s, g, g.nx) == Approx(outflow(s, g, 0)).epsilon(1e-6));
  CHECK(s.found.mass < 1e-6);
  // 12 mu over a distance of 4 heights.
  CHECK((s.flow.p.get(8, 8) - s.flow.p.get(56, 8)) == Approx(12 * 0.1 * 48 / 16).epsilon(0.01));
  if (outlet == "pressure") CHECK(s.flow.p.get(63, 8) == Approx(12 * 0.1 * 0.5 / 16).epsilon(0.05));
}

// Schaefer and Turek's 2D-1, with Nabh's values. SIMPLE on this grid: 5.716 (docs/flows.md).
TEST_CASE("projection finds the drag of a cylinder as SIMPLE does", "[flow][projection][body]") {
  FlowOptions options = projected(in_stable_steps, 1e-4);
  options.method = "plain";
  const SolvedFlow s = solved(posed_flow("cylinder", {220, 41}), options);
  CHECK(s.outcome.converged);
  CHECK(s.result("drag_coefficient") == Approx(5.57953523384).epsilon(0.05));
  CHECK(s.result("pressure_difference") == Approx(2.938).epsilon(0.05));
}

TEST_CASE("outlets that projection does not support are errors with a remedy", "[flow][projection]") {
  FlowOptions direct = projected({{"pressure_solver", "direct"}});
  direct.method = "plain";
  CHECK_THROWS_WITH(solved(posed_flow("channel", {64, 16}), direct),
                    ContainsSubstring("outlet=velocity") && ContainsSubstring("multigrid"));
  FlowProblem turned = *posed_flow("channel", {64, 16});
  turned.faces.set(3, 0, 0,
                   CellFaces::of(FaceKind::fluid, FaceKind::fluid, FaceKind::outlet, FaceKind::fluid).code);
  CHECK_THROWS_WITH(StaggeredOutlet::check(turned), ContainsSubstring("in the east only"));
}

TEST_CASE("transforms solve for the pressure of a channel whose outlet gives the outflow",
          "[flow][projection]") {
  const auto problem = posed_flow("channel", {64, 16}, {{"reynolds", 10.0}, {"outlet", "velocity"}});
  FlowOptions options = projected(in_stable_steps, 1e-7);
  const SolvedFlow by_cycles = solved(problem, options);
  options.config.set("pressure_solver", "direct");
  const SolvedFlow by_transforms = solved(problem, options);
  CHECK(by_transforms.outcome.converged);
  CHECK(largest_difference(by_cycles.flow.u, by_transforms.flow.u) < 1e-4);
}
