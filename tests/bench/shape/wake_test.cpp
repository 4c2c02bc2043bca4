// Misfits of wakes by hand, and searches of a hidden body.
#include "bench/shape/wake.hpp"

#include <cmath>
#include <numbers>

#include "tests/bench/shape/search_support.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

FlowFields uniform(const Grid& grid, double u, double v) {
  FlowFields flow;
  flow.u = HostField(grid, Precision::fp64), flow.v = HostField(grid, Precision::fp64);
  for (int j = 0; j < grid.ny; ++j)
    for (int i = 0; i < grid.nx; ++i) flow.u.set(i, j, 0, u), flow.v.set(i, j, 0, v);
  return flow;
}

// The speed of its flows is the length of the body.
class ScriptedWake final : public OutlineEvaluator {
 public:
  explicit ScriptedWake(const Grid& grid) : grid_(grid) {}
  void evaluate(const std::vector<Outline>& outlines,
                const std::function<void(std::size_t, const FlowAround&)>& ended) override {
    for (std::size_t n = outlines.size(); n-- > 0;) {
      const double length = outlines[n].high().x - outlines[n].low().x;
      FlowAround flow;
      flow.iterations = 1, flow.drag = length;
      flow.status = length < longest ? EvaluationStatus::ok : EvaluationStatus::unconverged;
      ++solved;
      if (flow.status == EvaluationStatus::ok && on_flow)
        on_flow(n, std::make_shared<KnownFlow>(KnownFlow{uniform(grid_, length, 0), {}}));
      ended(n, flow);
    }
  }
  int solved = 0;
  double longest = 1e300;

 private:
  Grid grid_;
};

// Six ellipses of aspects from 1 to e; the fourth, of index 3, has the hidden body's parameter.
constexpr const char* hidden_ellipse =
    "outline: {name: superellipse, parameters: {ln_aspect: [0, 1]}}\ngrid: 256x128\n"
    "objective: {wake_of: {ln_aspect: 0.6}}\noptimiser: {name: map, points: 6}\n";

}  // namespace

TEST_CASE("the misfit of a wake is the mean square of the velocities' difference behind a place",
          "[shape][wake]") {
  const Grid grid{16, 4};
  // Cell centres are at 1/8, 3/8, ...: from 1.3 on lie columns 5 (1.375) to 15.
  const Wake wake(uniform(grid, 1, 2), 1.3);
  CHECK(wake.misfit(uniform(grid, 1, 2)) == 0);
  CHECK(wake.misfit(uniform(grid, 1.5, 1)) == Approx(0.25 + 1));
  FlowFields other = uniform(grid, 1, 2);
  other.u.set(4, 1, 0, 9);  // before the wake
  CHECK(wake.misfit(other) == 0);
  other.u.set(5, 1, 0, 4), other.v.set(15, 3, 0, 0);
  CHECK(wake.misfit(other) == Approx((9.0 + 4.0) / (11 * 4)));
  CHECK_THROWS_WITH(Wake(uniform(grid, 1, 2), 4), ContainsSubstring("no cell of the tunnel"));
}

TEST_CASE("a hidden body is found by its wake, and its flow is the only one that is solved again",
          "[shape][wake]") {
  const StudyFile files;
  const ShapeStudy study = files.study(hidden_ellipse);
  for (const bool is_again : {false, true}) {
    ScriptedWake evaluator(study.flow.grid);
    const ShapeProgress progress = searched(study, files.records, evaluator);
    REQUIRE(progress.evaluations.size() == 6);
    CHECK(evaluator.solved == (is_again ? 1 : 6));  // one candidate is the hidden body, one the circle
    CHECK(progress.best.back() == 3);
    CHECK(progress.winner().objective == 0);
    // Lengths are D times the root of the aspect.
    const auto length = [](double ln_aspect) { return 0.125 * std::exp(ln_aspect / 2); };
    for (std::size_t n = 0; n < 6; ++n)
      CHECK(progress.evaluations[n].objective ==
            Approx(std::pow(length(0.2 * double(n)) - length(0.6), 2)).epsilon(1e-4).margin(1e-15));
    CHECK(progress.circle.objective == progress.evaluations[0].objective);
  }
}

TEST_CASE("a flow that has not converged has no misfit, and counts as none", "[shape][wake]") {
  const StudyFile files;
  const ShapeStudy study = files.study(hidden_ellipse);
  ScriptedWake evaluator(study.flow.grid);
  evaluator.longest = 0.125 * std::exp(0.35);  // that of 0.7
  const ShapeProgress progress = searched(study, files.records, evaluator);
  CHECK(progress.evaluations[4].objective == ShapeEngine::without_flow);
  CHECK(progress.evaluations[2].objective < 1);
}

TEST_CASE("a hidden body without a flow ends the search, with the reason", "[shape][wake]") {
  const StudyFile files;
  const ShapeStudy study = files.study(hidden_ellipse);
  ScriptedWake evaluator(study.flow.grid);
  evaluator.longest = 0.125;
  CHECK_THROWS_WITH(searched(study, files.records, evaluator),
                    ContainsSubstring("the hidden body has no flow"));
  const ShapeStudy thin = files.study(
      "outline: {name: superellipse, parameters: {ln_aspect: [0, 6]}}\ngrid: 256x128\n"
      "objective: {wake_of: {ln_aspect: 5}}\noptimiser: {name: map, points: 6}\n");
  ScriptedWake any(thin.flow.grid);
  CHECK_THROWS_WITH(searched(thin, files.folder / "thin.jsonl", any),
                    ContainsSubstring("it violates 'thickness'"));
}
