// Batches of flows around small bodies, and the comparison of their bits.
#pragma once

#include <algorithm>
#include <limits>

#include "solvers/flow/flow_batch.hpp"
#include "solvers/shape/parametrisation.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/largest_difference.hpp"

namespace cfdmark {

inline FlowBatchSettings small_tunnel(int slots, double area = 0.09) {
  FlowBatchSettings settings;
  settings.grid = {64, 32};
  settings.tunnel = {{"area", area}, {"surface", "distances"}};
  settings.slots = slots;
  settings.solver = {{"pressure_sweeps", 20}, {"check_interval", 10}};
  settings.tolerance = 1e-3;
  settings.max_iterations = 2000;
  return settings;
}

// Returns ellipses and superellipses that converge after different numbers of iterations.
inline std::vector<Outline> bodies(double area = 0.09) {
  std::vector<Outline> all;
  for (const char* text : {"superellipse ln_aspect=0", "superellipse ln_aspect=1.2",
                           "superellipse ln_aspect=0.5 ln_n=1.5 angle=20", "superellipse ln_aspect=-0.3",
                           "superellipse ln_aspect=0.9 angle=-10"})
    all.push_back(moved(outline_of_text(text, area), {1, 0.5}));
  return all;
}

// The end of a flow. Without a finite flow its fields are empty.
struct EndedFlow {
  FlowEvaluation evaluation;
  FlowFields flow;
};

// Calls f(batch), which evaluates or solves `flows` flows, and returns their ends.
template <class F>
std::vector<EndedFlow> ends_of(Backend& on, const FlowBatchSettings& settings, std::size_t flows,
                               const F& f) {
  FlowBatch batch(on, settings);
  std::vector<EndedFlow> ended(flows);
  batch.on_flow = [&](std::size_t n, const FlowFields& flow) { ended[n].flow = flow; };
  const std::vector<FlowEvaluation> found = f(batch);
  for (std::size_t n = 0; n < found.size(); ++n) ended[n].evaluation = found[n];
  return ended;
}
inline std::vector<EndedFlow> evaluated(Backend& on, const FlowBatchSettings& settings,
                                        const std::vector<Outline>& outlines) {
  return ends_of(on, settings, outlines.size(), [&](FlowBatch& batch) { return batch.evaluate(outlines); });
}

inline void check_same(const EndedFlow& a, const EndedFlow& b) {
  CHECK(a.evaluation.status == b.evaluation.status);
  CHECK(a.evaluation.iterations == b.evaluation.iterations);
  CHECK(a.evaluation.drag == b.evaluation.drag);
  CHECK(a.evaluation.lift == b.evaluation.lift);
  CHECK(a.evaluation.residual == b.evaluation.residual);
  REQUIRE(a.flow.u.bytes() > 0);
  REQUIRE(a.flow.u.grid() == b.flow.u.grid());
  CHECK(largest_difference(a.flow.u, b.flow.u) == 0);
  CHECK(largest_difference(a.flow.v, b.flow.v) == 0);
  CHECK(largest_difference(a.flow.p, b.flow.p) == 0);
  CHECK(largest_difference(a.flow.mass_x, b.flow.mass_x) == 0);
  CHECK(largest_difference(a.flow.mass_y, b.flow.mass_y) == 0);
}

// Checks that a flow's bits are those of a batch of one slot: with each number of slots, refilled if there
// are fewer than flows, and in another order, so in other slots next to other flows.
inline void check_batch_bits(Backend& on, FlowBatchSettings settings, const std::vector<Outline>& outlines,
                             const std::vector<int>& numbers_of_slots) {
  settings.slots = 1;
  const std::vector<EndedFlow> alone = evaluated(on, settings, outlines);
  const std::vector<Outline> reversed(outlines.rbegin(), outlines.rend());
  for (const int slots : numbers_of_slots) {
    settings.slots = slots;
    const std::vector<EndedFlow> there = evaluated(on, settings, outlines),
                                 back = evaluated(on, settings, reversed);
    for (std::size_t n = 0; n < outlines.size(); ++n) {
      INFO(slots << " slots, body " << n);
      check_same(there[n], alone[n]);
      check_same(back[outlines.size() - 1 - n], alone[n]);
    }
  }
}

// Checks that a flow whose start is not sound ends alone: it has diverged, and its neighbours in the stack
// have the bits that they have without it. `spoiled`: the velocity in one cell in the middle of its slot.
inline void check_diverging_neighbour(Backend& on, const FlowBatchSettings& settings,
                                      const std::vector<Outline>& outlines, double spoiled) {
  const std::vector<EndedFlow> sound = evaluated(on, settings, outlines);
  constexpr std::size_t bad = 1;
  int solved_alone = 0;
  const std::vector<EndedFlow> with_bad = ends_of(on, settings, outlines.size(), [&](FlowBatch& batch) {
    const auto found = batch.solve(outlines.size(), [&](std::size_t n) {
      FlowProblem flow = *batch.tunnel(outlines[n]);
      if (n == bad) flow.start.u.set(settings.grid.nx / 2, settings.grid.ny / 2, 0, spoiled);
      return std::make_shared<const FlowProblem>(std::move(flow));
    });
    solved_alone = batch.counts().solved_alone;
    return found;
  });
  CHECK(solved_alone > 1);  // it has reached its neighbours
  CHECK(with_bad[bad].evaluation.status == FlowStatus::diverged);
  for (std::size_t n = 0; n < outlines.size(); ++n) {
    if (n == bad) continue;
    INFO("body " << n);
    check_same(with_bad[n], sound[n]);
  }
}

}  // namespace cfdmark
