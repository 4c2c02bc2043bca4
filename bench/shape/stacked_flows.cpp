#include <fmt/format.h>

#include <chrono>
#include <stdexcept>

#include "bench/shape/flow_solver.hpp"

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
    case FlowStatus::stopped: flow.status = EvaluationStatus::stopped; break;
    case FlowStatus::unconverged:
      flow.status =
          found.residual <= largest_residual ? EvaluationStatus::unconverged : EvaluationStatus::diverged;
      break;
  }
  return flow;
}

class StackedFlows final : public FlowSolver {
 public:
  explicit StackedFlows(const TunnelFlow& flow)
      : batch_(backend({flow.row->backend, flow.device}), {.grid = flow.grid,
                                                           .problem = flow.name,
                                                           .tunnel = flow.problem,
                                                           .reference = flow.reference,
                                                           .precision = flow.row->precision,
                                                           .slots = flow.slots,
                                                           .method = flow.row->method,
                                                           .solver = flow.config,
                                                           .tolerance = flow.tolerance,
                                                           .max_iterations = flow.max_iterations,
                                                           .ends_when_stalled = true}) {}

  void solve(std::size_t flows, const Make& make, const Calls& calls) override {
    if (flows == 0) return;
    auto last = std::chrono::steady_clock::now();
    const FlowFields* finite = nullptr;  // of the flow that ends
    batch_.on_flow = nullptr;
    if (calls.wants_flows)
      batch_.on_flow = [&](std::size_t, const FlowFields& found) { flow_ = found, finite = &flow_; };
    batch_.ends_early = calls.stops;
    batch_.on_end = [&](std::size_t n, const FlowEvaluation& found) {
      const auto now = std::chrono::steady_clock::now();
      FlowAround flow = around(found);
      flow.seconds = std::chrono::duration<double>(now - last).count();
      last = now;
      calls.ended(n, flow, flow.status == EvaluationStatus::ok ? finite : nullptr);
      finite = nullptr;
    };
    batch_.solve(flows, make);
  }

 private:
  FlowBatch batch_;
  FlowFields flow_;
};

}  // namespace

std::unique_ptr<FlowSolver> stacked_flows(const TunnelFlow& flow) {
  return std::make_unique<StackedFlows>(flow);
}

}  // namespace cfdmark
