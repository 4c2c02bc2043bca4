// The loss of total pressure by hand, of a channel without a body, and next to the drag of a body.
#include "bench/shape/pressure_loss.hpp"

#include <cmath>

#include "tests/bench/shape/search_support.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

FlowFields at_rest(const Grid& grid) {
  FlowFields flow;
  for (HostField* field : {&flow.u, &flow.v, &flow.p}) *field = HostField(grid, Precision::fp64);
  return flow;
}

}  // namespace

// First column: ((2 + 1/2) 1 + (4 + 9/2) 3) / 4 = 7; last: ((4 + 1) / 2 * 2 + 4 / 2 * 2) / 4 = 9/4. The way
// between them is 3, so that 12 * 0.1 * 3 are lost without a body.
TEST_CASE("the loss of total pressure of four columns matches the hand calculation", "[shape][pressure]") {
  FlowFields flow = at_rest({4, 2});
  flow.u.set(0, 0, 0, 1), flow.p.set(0, 0, 0, 2);
  flow.u.set(0, 1, 0, 3), flow.p.set(0, 1, 0, 4);
  flow.u.set(3, 0, 0, 2), flow.v.set(3, 0, 0, 1);
  flow.u.set(3, 1, 0, 2);
  CHECK(pressure_loss(flow, 0.1) == Approx(7 - 2.25 - 3.6));
}

TEST_CASE("the parabolic flow in an empty tunnel has no loss beyond its own", "[shape][pressure]") {
  const Grid grid{64, 16};
  FlowFields flow = at_rest(grid);
  const double viscosity = 0.03;
  for (int j = 0; j < grid.ny; ++j)
    for (int i = 0; i < grid.nx; ++i) {
      const double x = (i + 0.5) * 4 / grid.nx, y = (j + 0.5) / grid.ny;
      flow.u.set(i, j, 0, 6 * y * (1 - y));
      flow.p.set(i, j, 0, 12 * viscosity * (4 - x));
    }
  CHECK(pressure_loss(flow, viscosity) == Approx(0).margin(1e-13));
}

// By the balance of momentum the pressure drives the drag and the friction of the walls, which a body
// changes.
TEST_CASE("a body costs at least the pressure that its drag takes", "[shape][pressure][flow]") {
  const StudyFile files;
  const ShapeStudy study = files.study(
      "outline: {name: superellipse, parameters: {ln_aspect: [0, 0.4]}}\narea: 0.05\ngrid: 128x48\n"
      "constraints: {bounds: [0.2, 0.1, 3.8, 0.9]}\nobjective: pressure_loss\n"
      "optimiser: {name: map, points: 2}\nworkers: 1\n");
  const auto evaluator = evaluator_of(study.flow);
  const ShapeProgress progress = searched(study, files.records, *evaluator);
  REQUIRE(progress.evaluations.size() == 2);
  for (const ShapeEvaluation& e : progress.evaluations) {
    REQUIRE(e.flow.status == EvaluationStatus::ok);
    const double of_drag = e.flow.drag * study.flow.reference / 2;  // the tunnel's height is 1
    INFO(e.objective << " " << of_drag);
    CHECK(e.objective > of_drag);
    CHECK(e.objective < 1.5 * of_drag);
  }
  CHECK(progress.evaluations[1].objective < progress.evaluations[0].objective);
}
