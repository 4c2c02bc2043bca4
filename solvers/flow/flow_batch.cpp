#include "solvers/flow/flow_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <future>
#include <limits>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "solvers/flow/table.hpp"

namespace cfdmark {
namespace {

// A residual above this value has no way back.
constexpr double diverged_above = 1000;

// Returns a body that decides the memory and the kernels of a batch: a circle, of an area if there is one.
Outline circle(double area) {
  Outline round;
  constexpr int corners = 256;
  for (int n = 0; n < corners; ++n) {
    const double angle = 2 * std::numbers::pi * n / corners;
    round.corners.push_back({1 + std::cos(angle) / 4, 0.5 + std::sin(angle) / 4});
  }
  return area > 0 ? scaled_to_area(round, area) : round;
}

// Limits of Solver::has_stalled.
constexpr double least_gain = 0.1, smaller = 0.99;
constexpr std::size_t least_looks = 20;

bool has_stalled(const std::vector<double>& residuals) {
  double smallest = std::numeric_limits<double>::infinity();
  std::size_t at = 0;
  for (std::size_t n = 0; n < residuals.size(); ++n)
    if (residuals[n] < smaller * smallest) smallest = residuals[n], at = n;
  return smallest <= least_gain && residuals.size() - 1 - at >= std::max(at, least_looks);
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
    case FlowStatus::stopped: return "stopped";
    case FlowStatus::infeasible: break;
  }
  return "infeasible";
}

FlowBatch::FlowBatch(Backend& on, const FlowBatchSettings& given) : settings_(given) {
  if (given.problem != "tunnel" && given.problem != "tow")
    throw std::invalid_argument(fmt::format("{} takes no outlines; use tunnel or tow", given.problem));
  settings_.tunnel = TuningSpace{find_flow_problem(given.problem)->settings}.complete(given.tunnel);
  const double area = settings_.tunnel.real("area");
  if (!(area > 0 || given.reference > 0))
    throw std::invalid_argument(
        "a batch of bodies needs one fluid: set area, such as area=0.012272, or a reference length");
  if (given.slots < 1) throw std::invalid_argument(fmt::format("slots={}: use at least 1", given.slots));
  const FlowMethod method = method_named(on.kind(), given.method);
  settings_.solver = method.space.complete(given.solver);
  stack_ = std::make_unique<FlowStack>(on, given.precision, method, settings_.solver, *tunnel(circle(area)),
                                       given.slots, given.coarsenings);
}

std::shared_ptr<const FlowProblem> FlowBatch::tunnel(const Outline& outline) const {
  DrawnBody body = body_inside(outline, "outline");
  body.reference = settings_.reference;
  return std::make_shared<const FlowProblem>(
      tunnel_around(body, settings_.grid, settings_.tunnel, settings_.problem));
}

// Makes as many flows ahead as the host has threads.
class FlowBatch::Queue {
 public:
  Queue(const FlowStack& stack, const Make& make, std::vector<std::size_t> indices)
      : stack_(stack), make_(make), indices_(std::move(indices)) {
    make_ahead();
  }

  bool is_empty() const { return next_ == indices_.size(); }
  struct Next {
    std::size_t index;
    std::future<SlotFlow> flow;
  };
  Next take() {
    Next next{indices_[next_++], std::move(made_.front())};
    made_.pop_front();
    make_ahead();
    return next;
  }

 private:
  void make_ahead() {
    const std::size_t most = std::max(2U, std::thread::hardware_concurrency());
    while (made_.size() < most && next_ + made_.size() < indices_.size()) {
      const std::size_t index = indices_[next_ + made_.size()];
      made_.push_back(std::async(std::launch::async, [this_stack = &stack_, make = &make_, index] {
        return this_stack->slot_flow(*(*make)(index));
      }));
    }
  }

  const FlowStack& stack_;
  const Make& make_;
  std::vector<std::size_t> indices_;
  std::size_t next_ = 0;
  std::deque<std::future<SlotFlow>> made_;  // of indices_[next_] and after
};

std::vector<FlowEvaluation> FlowBatch::evaluate(const std::vector<Outline>& outlines) {
  return solve(outlines.size(), [&](std::size_t n) { return tunnel(outlines[n]); });
}

std::vector<FlowEvaluation> FlowBatch::solve(std::size_t flows, const Make& make) {
  std::vector<FlowEvaluation> evaluations(flows);
  std::vector<std::size_t> all(flows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (const std::size_t index : solve_queue({*stack_, make, all}, settings_.slots, evaluations)) {
    ++counts_.solved_alone;
    solve_queue({*stack_, make, {index}}, 1, evaluations);
  }
  return evaluations;
}

void FlowBatch::end(std::vector<FlowEvaluation>& evaluations, std::size_t index,
                    const FlowEvaluation& found) const {
  evaluations[index] = found;
  if (on_end) on_end(index, found);
}

std::optional<FlowEvaluation> FlowBatch::judged(const Slot& slot, const SlotLook& look) const {
  FlowEvaluation found{.status = FlowStatus::ok,
                       .drag = look.drag,
                       .lift = look.lift,
                       .iterations = slot.iterations,
                       .residual = look.residual()};
  if (!look.is_finite() || found.residual > diverged_above) {
    found.status = FlowStatus::diverged, found.drag = found.lift = 0;
    found.reason = fmt::format("diverged by iteration {}", slot.iterations);
    return found;
  }
  if (found.residual <= settings_.tolerance) return found;
  const bool stalled = settings_.ends_when_stalled && has_stalled(slot.residuals);
  if (!stalled && slot.iterations < settings_.max_iterations) {
    if (!ends_early || !ends_early(slot.index, slot.forces)) return {};
    found.status = FlowStatus::stopped;
    return found;
  }
  found.status = FlowStatus::unconverged;
  found.reason = fmt::format("the residual is {:.2g} after {} iterations, above the tolerance of {:g}",
                             found.residual, slot.iterations, settings_.tolerance);
  const auto& forces = slot.forces;
  const std::size_t late = std::min(forces.size(), std::max<std::size_t>(3, forces.size() / 10));
  const auto first = forces.end() - std::ptrdiff_t(late);
  const auto [least, most] = std::minmax_element(
      first, forces.end(), [](const ForceLook& a, const ForceLook& b) { return a.drag < b.drag; });
  found.drag =
      std::accumulate(first, forces.end(), 0.0, [](double sum, const ForceLook& f) { return sum + f.drag; }) /
      double(late);
  found.drag_change = most->drag - least->drag;
  return found;
}

std::vector<std::size_t> FlowBatch::solve_queue(Queue queue, int slots,
                                                std::vector<FlowEvaluation>& evaluations) {
  std::vector<std::optional<Slot>> running(slots);
  std::vector<std::size_t> suspects;
  const auto is_running = [](const std::optional<Slot>& slot) { return slot.has_value(); };
  const auto fill = [&](int n) {
    while (!running[n] && !queue.is_empty()) {
      auto [index, flow] = queue.take();
      const auto asked = std::chrono::steady_clock::now();
      try {
        const SlotFlow next = flow.get();
        counts_.waiting_seconds +=
            std::chrono::duration<double>(std::chrono::steady_clock::now() - asked).count();
        stack_->load(n, next);
        running[n] = Slot{index};
      } catch (const std::invalid_argument& refused) {
        end(evaluations, index, {.status = FlowStatus::infeasible, .reason = refused.what()});
      }
    }
  };
  while (true) {
    for (int n = 0; n < slots; ++n) fill(n);
    if (std::none_of(running.begin(), running.end(), is_running)) return suspects;
    stack_->advance();
    const std::vector<SlotLook> looks = stack_->look();
    int spoiled = 0;  // flows
    for (int n = 0; n < slots; ++n) spoiled += running[n] && !looks[n].is_finite();
    for (int n = 0; n < settings_.slots; ++n) {
      const SlotLook& look = looks[n];
      if (n >= slots || !running[n]) {
        counts_.idle_iterations += stack_->interval();
        if (!look.is_finite()) stack_->clear(n);
        continue;
      }
      Slot& slot = *running[n];
      slot.iterations += stack_->interval(), counts_.iterations += stack_->interval();
      slot.residuals.push_back(look.residual()),
          slot.forces.push_back({slot.iterations, look.drag, look.lift});
      const auto ended = judged(slot, look);
      if (!ended) continue;
      // A value that is not finite spreads through the solid rows, since 0 times it is not 0. It spoils whole
      // slots or nothing, and its origin is unknown if there are several.
      const std::size_t index = slot.index;
      if (on_flow && look.is_finite()) on_flow(index, stack_->download(n));
      running[n].reset();
      if (queue.is_empty() || !look.is_finite()) stack_->clear(n);
      if (spoiled > 1 && !look.is_finite())
        suspects.push_back(index);
      else
        end(evaluations, index, *ended);
    }
  }
}

}  // namespace cfdmark
