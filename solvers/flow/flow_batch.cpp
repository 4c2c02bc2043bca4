#include "solvers/flow/flow_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "solvers/flow/table.hpp"

namespace cfdmark {
namespace {

// A residual above this value has no way back.
constexpr double diverged_above = 1000;

Outline circle_of_area(double area) {
  Outline circle;
  constexpr int corners = 256;
  for (int n = 0; n < corners; ++n) {
    const double angle = 2 * std::numbers::pi * n / corners;
    circle.corners.push_back({1 + std::cos(angle) / 8, 0.5 + std::sin(angle) / 8});
  }
  return scaled_to_area(circle, area);
}

FlowMethod method_named(BackendKind kind, const std::string& name) {
  for (FlowMethod& method : simple_solver().methods(kind))
    if (method.name == name) return method;
  throw std::invalid_argument(
      fmt::format("unknown method '{}' of simple on {}; use rhie_chow or paper", name, to_string(kind)));
}

}  // namespace

std::string to_string(FlowStatus status) {
  switch (status) {
    case FlowStatus::ok: return "ok";
    case FlowStatus::unconverged: return "unconverged";
    case FlowStatus::diverged: return "diverged";
    case FlowStatus::infeasible: break;
  }
  return "infeasible";
}

FlowBatch::FlowBatch(Backend& on, const FlowBatchSettings& given) : settings_(given) {
  settings_.tunnel = TuningSpace{find_flow_problem("tunnel")->settings}.complete(given.tunnel);
  const double area = settings_.tunnel.real("area");
  if (!(area > 0))
    throw std::invalid_argument("a batch of bodies needs one area: set area, such as area=0.012272");
  if (given.slots < 1) throw std::invalid_argument(fmt::format("slots={}: use at least 1", given.slots));
  const FlowMethod method = method_named(on.kind(), given.method);
  settings_.solver = method.space.complete(given.solver);
  stack_ = std::make_unique<FlowStack>(on, given.precision, method, settings_.solver,
                                       *tunnel(circle_of_area(area)), given.slots);
}

std::shared_ptr<const FlowProblem> FlowBatch::tunnel(const Outline& outline) const {
  return std::make_shared<const FlowProblem>(
      tunnel_around(body_inside(outline, "outline"), settings_.grid, settings_.tunnel));
}

std::vector<FlowEvaluation> FlowBatch::evaluate(const std::vector<Outline>& outlines) {
  Flows flows(outlines.size());
  std::vector<std::string> reasons(outlines.size());
  for (std::size_t n = 0; n < outlines.size(); ++n) try {
      flows[n] = tunnel(outlines[n]);
    } catch (const std::invalid_argument& refused) {
      reasons[n] = refused.what();
    }
  std::vector<FlowEvaluation> evaluations = solve(flows);
  for (std::size_t n = 0; n < outlines.size(); ++n)
    if (!flows[n]) evaluations[n].reason = reasons[n];
  return evaluations;
}

std::vector<FlowEvaluation> FlowBatch::solve(const Flows& flows) {
  std::vector<FlowEvaluation> evaluations(flows.size());
  Queue queue;
  for (std::size_t n = flows.size(); n-- > 0;)
    if (flows[n]) queue.push_back(n);
  const Queue suspects = solve_queue(flows, queue, settings_.slots, evaluations);
  for (const std::size_t index : suspects) {
    ++counts_.solved_alone;
    solve_queue(flows, {index}, 1, evaluations);
  }
  return evaluations;
}

std::optional<FlowEvaluation> FlowBatch::judged(const Slot& slot, const SlotLook& look) const {
  FlowEvaluation found{FlowStatus::ok, look.drag, look.lift, slot.iterations, look.residual(), ""};
  if (!look.is_finite() || found.residual > diverged_above) {
    found.status = FlowStatus::diverged;
    found.reason =
        fmt::format("diverged in iteration {} or up to {} before", slot.iterations, stack_->interval() - 1);
    return found;
  }
  if (found.residual <= settings_.tolerance) return found;
  found.status = FlowStatus::unconverged;
  if (slot.iterations >= settings_.max_iterations) return found;
  return {};
}

FlowBatch::Queue FlowBatch::solve_queue(const Flows& flows, Queue queue, int slots,
                                        std::vector<FlowEvaluation>& evaluations) {
  std::vector<std::optional<Slot>> running(slots);
  Queue suspects;
  const auto is_running = [](const std::optional<Slot>& slot) { return slot.has_value(); };
  while (!queue.empty() || std::any_of(running.begin(), running.end(), is_running)) {
    for (int n = 0; n < slots && !queue.empty(); ++n)
      if (!running[n]) {
        running[n] = Slot{queue.back(), 0};
        stack_->load(n, *flows[queue.back()]);
        queue.pop_back();
      }
    stack_->advance();
    const std::vector<SlotLook> looks = stack_->look();
    int spoiled = 0;  // flows
    for (int n = 0; n < slots; ++n) spoiled += running[n] && !looks[n].is_finite();
    for (int n = 0; n < settings_.slots; ++n) {
      if (n >= slots || !running[n]) {
        counts_.idle_iterations += stack_->interval();
        if (!looks[n].is_finite()) stack_->clear(n);
        continue;
      }
      Slot& slot = *running[n];
      slot.iterations += stack_->interval();
      counts_.iterations += stack_->interval();
      const auto ended = judged(slot, looks[n]);
      if (!ended) continue;
      // A value that is not finite spreads through the solid rows, since 0 times it is not 0. It spoils
      // whole slots or nothing, and its origin is unknown if there are several.
      if (spoiled > 1 && !looks[n].is_finite())
        suspects.push_back(slot.index);
      else
        evaluations[slot.index] = *ended;
      if (on_flow && looks[n].is_finite()) on_flow(slot.index, stack_->download(n));
      running[n].reset();
      if (queue.empty() || !looks[n].is_finite()) stack_->clear(n);
    }
  }
  return suspects;
}

}  // namespace cfdmark
