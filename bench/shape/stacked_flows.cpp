#include <fmt/format.h>

#include <chrono>
#include <stdexcept>

#include "bench/shape/outline_evaluator.hpp"
#include "solvers/flow/flow_batch.hpp"

namespace cfdmark {
namespace {

FlowAround around(const FlowEvaluation& found) {
  FlowAround flow;
  flow.drag = found.drag, flow.lift = found.lift, flow.drag_change = found.drag_change;
  flow.iterations = found.iterations, flow.reason = found.reason;
  switch (found.status) {
    case FlowStatus::ok: flow.status = EvaluationStatus::ok; break;
    case FlowStatus::diverged: flow.status = EvaluationStatus::diverged; break;
    case FlowStatus::infeasible: flow.status = EvaluationStatus::failed; break;
    case FlowStatus::unconverged:
      flow.status =
          found.residual <= largest_residual ? EvaluationStatus::unconverged : EvaluationStatus::diverged;
      break;
  }
  return flow;
}

class StackedFlows final : public OutlineEvaluator {
 public:
  explicit StackedFlows(const TunnelFlow& flow)
      : batch_(backend({flow.row->backend, flow.device}), {.grid = flow.grid,
                                                           .tunnel = flow.problem,
                                                           .reference = flow.reference,
                                                           .precision = flow.row->precision,
                                                           .slots = flow.slots,
                                                           .method = flow.row->method,
                                                           .solver = flow.config,
                                                           .tolerance = flow.tolerance,
                                                           .max_iterations = flow.max_iterations,
                                                           .ends_when_stalled = true}) {}

  void evaluate(const std::vector<Outline>& outlines,
                const std::function<void(std::size_t, const FlowAround&)>& ended) override {
    if (outlines.empty()) return;
    auto last = std::chrono::steady_clock::now();
    batch_.on_end = [&](std::size_t n, const FlowEvaluation& found) {
      const auto now = std::chrono::steady_clock::now();
      FlowAround flow = around(found);
      flow.seconds = std::chrono::duration<double>(now - last).count();
      last = now;
      ended(n, flow);
    };
    batch_.evaluate(outlines);
  }

 private:
  FlowBatch batch_;
};

}  // namespace

std::unique_ptr<OutlineEvaluator> stacked_flows(const TunnelFlow& flow) {
  return std::make_unique<StackedFlows>(flow);
}

std::unique_ptr<OutlineEvaluator> evaluator_of(const TunnelFlow& flow) {
  return flow.slots > 0 ? stacked_flows(flow) : single_flows(flow);
}

}  // namespace cfdmark
