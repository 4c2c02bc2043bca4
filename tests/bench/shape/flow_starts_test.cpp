// Flows from rest, from coarser grids and from other flows; stops; several devices.
#include <cmath>
#include <numbers>

#include "bench/solve/outline_flows.hpp"
#include "tests/bench/shape/search_support.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// A body of a quarter of the tunnel's height: 12 cells across, and 6 on the coarser grid.
constexpr const char* large_body =
    "outline: superellipse\narea: 0.05\ngrid: 128x48\nconstraints: {bounds: [0.2, 0.1, 3.8, 0.9]}\n";

std::vector<Outline> ellipses(const ShapeStudy& study) {
  std::vector<Outline> all;
  for (const double ln_aspect : {0.0, 0.3, -0.2})
    all.push_back(moved(study.shape->outline({ln_aspect, std::numbers::ln2, 0}, study.area), {1, 0.5}));
  return all;
}

std::vector<FlowAround> solved(const TunnelFlow& flow, const std::vector<Outline>& outlines) {
  std::vector<FlowAround> found(outlines.size());
  evaluator_of(flow)->evaluate(outlines, [&](std::size_t n, const FlowAround& f) { found[n] = f; });
  return found;
}

void check_same_flow(const FlowAround& a, const FlowAround& b) {
  CHECK(a.status == EvaluationStatus::ok);
  CHECK(b.status == EvaluationStatus::ok);
  CHECK(a.drag == Approx(b.drag).epsilon(1e-3));
  CHECK(a.lift == Approx(b.lift).margin(1e-3));
}

// The evaluations of a search without their times.
std::vector<Json> without_times(const ShapeProgress& progress) {
  std::vector<Json> all;
  for (const ShapeEvaluation& e : progress.evaluations) {
    all.push_back(to_json(e));
    all.back().erase("seconds");
  }
  return all;
}

// Its drags approach their limits as geometric series of 40 looks.
class SlowDrag final : public OutlineEvaluator {
 public:
  explicit SlowDrag(std::function<double(const Outline&)> drag) : drag_(std::move(drag)) {}
  void evaluate(const std::vector<Outline>& outlines,
                const std::function<void(std::size_t, const FlowAround&)>& ended) override {
    for (std::size_t n = 0; n < outlines.size(); ++n) {
      FlowAround flow;
      flow.status = EvaluationStatus::ok;
      std::vector<ForceLook> looks;
      while (looks.size() < 40 && flow.status == EvaluationStatus::ok) {
        flow.iterations += 20;
        flow.drag = drag_(outlines[n]) * (1 - std::pow(0.8, double(looks.size())));
        looks.push_back({flow.iterations, flow.drag, 0});
        if (stops && stops(n, looks)) flow.status = EvaluationStatus::stopped;
      }
      iterations += flow.iterations;
      ended(n, flow);
    }
  }
  int iterations = 0;

 private:
  std::function<double(const Outline&)> drag_;
};

}  // namespace

TEST_CASE("the drag of a flow does not depend on its start", "[shape][start]") {
  const StudyFile files;
  TunnelFlow flow = files.study(large_body).flow;
  const std::vector<Outline> bodies = ellipses(files.study(large_body));
  const std::vector<FlowAround> rest = solved(flow, bodies);
  SECTION("from a coarser grid, with fewer iterations on the fine one") {
    flow.start = FlowStart::coarse;
    const std::vector<FlowAround> found = solved(flow, bodies);
    for (std::size_t n = 0; n < bodies.size(); ++n) {
      check_same_flow(found[n], rest[n]);
      CHECK(found[n].start == "coarse");
      CHECK(found[n].start_iterations > 0);
      CHECK(found[n].iterations < rest[n].iterations);
    }
  }
  SECTION("from the flow around another body") {
    const auto evaluator = evaluator_of(flow);
    std::shared_ptr<const KnownFlow> known;
    evaluator->on_flow = [&](std::size_t, const std::shared_ptr<const KnownFlow>& f) { known = f; };
    evaluator->evaluate({bodies[0]}, [](std::size_t, const FlowAround&) {});
    REQUIRE(known);
    evaluator->start_of = [&](std::size_t) { return known; };
    evaluator->evaluate(bodies, [&](std::size_t n, const FlowAround& found) {
      check_same_flow(found, rest[n]);
      CHECK(found.start == "nearest");
      CHECK(found.iterations < rest[n].iterations);
    });
  }
}

TEST_CASE("a flow in a stack starts as a single one, from coarser grids", "[shape][start]") {
  const StudyFile files;
  TunnelFlow flow = files.study(large_body).flow;
  const std::vector<Outline> bodies = ellipses(files.study(large_body));
  flow.start = FlowStart::coarse;
  const std::vector<FlowAround> single = solved(flow, bodies);
  flow.slots = 2;
  const std::vector<FlowAround> stack = solved(flow, bodies);
  for (std::size_t n = 0; n < bodies.size(); ++n) {
    CHECK(stack[n].iterations == single[n].iterations);
    CHECK(stack[n].start_iterations == single[n].start_iterations);
    CHECK(stack[n].drag == Approx(single[n].drag).epsilon(1e-6));
  }
}

TEST_CASE("a batch has the drag from rest if its flows start from coarser grids, in fewer iterations",
          "[shape][start]") {
  const StudyFile files;
  const ShapeStudy study = files.study(large_body);
  const std::vector<Outline> bodies = ellipses(study);
  const FlowBatchSettings settings{.grid = study.flow.grid,
                                   .tunnel = study.flow.problem,
                                   .reference = study.flow.reference,
                                   .precision = study.flow.row->precision,
                                   .slots = 2,
                                   .solver = study.flow.config,
                                   .tolerance = study.flow.tolerance};
  const auto ended = [&](FlowsAtOnce at_once, bool coarse_start) {
    return OutlineFlows(backend(BackendKind::serial), settings, at_once, coarse_start).evaluate(bodies);
  };
  const std::vector<OutlineFlow> rest = ended(FlowsAtOnce::one, false), one = ended(FlowsAtOnce::one, true),
                                 stack = ended(FlowsAtOnce::stack, true);
  for (std::size_t n = 0; n < bodies.size(); ++n) {
    INFO("body " << n);
    CHECK(rest[n].status == FlowStatus::ok);
    CHECK(rest[n].coarse_iterations == 0);
    CHECK(one[n].status == FlowStatus::ok);
    CHECK(one[n].drag == Approx(rest[n].drag).epsilon(1e-3));
    CHECK(one[n].lift == Approx(rest[n].lift).margin(1e-3));
    CHECK(one[n].iterations < rest[n].iterations);
    CHECK(one[n].coarse_iterations > 0);
    // On serial a stack has the bits of single flows.
    CHECK(stack[n].iterations == one[n].iterations);
    CHECK(stack[n].coarse_iterations == one[n].coarse_iterations);
    CHECK(stack[n].drag == one[n].drag);
    CHECK(stack[n].lift == one[n].lift);
  }
  FlowBatchSettings odd = settings;
  odd.grid = {127, 48};
  CHECK_THROWS_WITH(OutlineFlows(backend(BackendKind::serial), odd, FlowsAtOnce::one, true),
                    ContainsSubstring("no grid half as fine"));
}

TEST_CASE("several devices share a batch, and its results are those of one", "[shape][devices]") {
  const StudyFile files;
  TunnelFlow flow = files.study(large_body).flow;
  const std::vector<Outline> bodies = ellipses(files.study(large_body));
  flow.max_iterations = 100, flow.workers = 1;
  const std::vector<FlowAround> one = solved(flow, bodies);
  flow.devices = {0, 0};
  const std::vector<FlowAround> two = solved(flow, bodies);
  for (std::size_t n = 0; n < bodies.size(); ++n) {
    CHECK(two[n].drag == one[n].drag);
    CHECK(two[n].iterations == one[n].iterations);
  }
  CHECK_THROWS_AS(
      evaluator_of(flow)->evaluate(bodies, [](std::size_t, const FlowAround&) { throw ShapeInterrupted(); }),
      ShapeInterrupted);
}

TEST_CASE("a search from the nearest flows that is continued ends as one that was not stopped",
          "[shape][start]") {
  if (optimiser_version().empty()) return;
  const StudyFile files;
  const std::string text =
      "outline: {name: superellipse, parameters: {ln_aspect: [0, 0.8]}}\narea: 0.05\ngrid: 64x32\n"
      "constraints: {bounds: [0.2, 0.1, 3.8, 0.9]}\nstart: nearest\noptimiser: {name: cmaes, population: 5}\n"
      "settings: {tolerance: 1e-3}\nworkers: 1\nuntil: {evaluations: ";
  const auto search = [&](const char* evaluations, const std::string& records) {
    const ShapeStudy study = files.study(text + evaluations + "}");
    return searched(study, records, *evaluator_of(study.flow));
  };
  const ShapeProgress whole = search("20", files.folder / "whole.jsonl");
  search("10", files.records);
  CHECK(without_times(search("20", files.records)) == without_times(whole));
  int nearest = 0;
  for (const ShapeEvaluation& e : whole.evaluations) nearest += e.flow.start == "nearest";
  CHECK(nearest > 8);  // some are infeasible
}

TEST_CASE("stopping early spares iterations and finds the same best, and the audit finds no wrong stop",
          "[shape][stop]") {
  if (optimiser_version().empty()) return;
  const StudyFile files;
  const std::string text =
      "outline: superellipse\ngrid: 256x128\noptimiser: {name: cmaes, population: 10}\nuntil: {evaluations: "
      "120}\n";
  const auto drag = [](const Outline& o) { return std::pow(10 * o.perimeter(), 2); };
  SlowDrag always(drag), early(drag);
  const ShapeProgress whole = searched(files.study(text), files.folder / "whole.jsonl", always),
                      stopped = searched(files.study(text + "stop: {margin: 0.1 %, audit: 10 %}\n"),
                                         files.records, early);
  CHECK(early.iterations < 0.9 * always.iterations);
  CHECK(stopped.winner().objective == Approx(whole.winner().objective).epsilon(1e-3));
  int ended = 0, audited = 0;
  for (const ShapeEvaluation& e : stopped.evaluations) {
    ended += e.flow.status == EvaluationStatus::stopped;
    if (!e.stop) continue;
    CHECK(e.objective > e.stop->threshold);
    if (e.stop->is_audited) {
      ++audited;
      CHECK(e.flow.status == EvaluationStatus::ok);
      CHECK(!e.stop->is_wrong(e.objective));
    }
  }
  CHECK(ended > 10);
  CHECK(audited > 0);
  CHECK(stopped.winner().flow.status == EvaluationStatus::ok);
}

TEST_CASE("a stopped flow is recorded with its bound and read again", "[shape][stop]") {
  ShapeEvaluation e;
  e.shape = "superellipse", e.grid = "64x32", e.precision = "fp32";
  e.flow.status = EvaluationStatus::stopped, e.flow.iterations = 100, e.flow.start = "coarse";
  e.flow.start_iterations = 40, e.objective = 3.5;
  e.stop = EarlyStop{3.5, 3.2, 100, false};
  const ShapeEvaluation again = shape_evaluation_from_json(to_json(e));
  CHECK(to_json(again) == to_json(e));
  REQUIRE(again.stop);
  CHECK(again.stop->threshold == 3.2);
}

TEST_CASE("an audited stop is wrong if the flow ends at or below the threshold", "[shape][stop]") {
  CHECK(EarlyStop{3.5, 3.2, 100, true}.is_wrong(3.2));
  CHECK(!EarlyStop{3.5, 3.2, 100, true}.is_wrong(3.3));
  CHECK(!EarlyStop{3.5, 3.2, 100, false}.is_wrong(3.0));
}
