#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "bench/shape/flow_solver.hpp"
#include "bench/tuned/tuned_levels.hpp"
#include "solvers/flow/table.hpp"

namespace cfdmark {
namespace {

// Returns the value of that name; NaN if there is none.
double result_of(const std::vector<NamedValue>& results, const char* name) {
  for (const NamedValue& result : results)
    if (result.name == name) return result.value;
  return NAN;
}

struct LateDrag {
  double mean = 0, range = 0;
};

// Returns the drag over the last tenth of the checks, at least three.
LateDrag late_drag(const Outcome& outcome) {
  const auto& checks = outcome.result_history;
  const std::size_t late = std::min(checks.size(), std::max<std::size_t>(3, checks.size() / 10));
  double sum = 0, least = INFINITY, most = -INFINITY;
  for (std::size_t n = checks.size() - late; n < checks.size(); ++n) {
    const double drag = result_of(checks[n].second, "drag_coefficient");
    sum += drag, least = std::min(least, drag), most = std::max(most, drag);
  }
  if (late == 0) return {};
  return {sum / double(late), most - least};
}

std::vector<ForceLook> forces_of(const Outcome& outcome) {
  std::vector<ForceLook> forces;
  for (const auto& [iteration, results] : outcome.result_history)
    forces.push_back(
        {iteration, result_of(results, "drag_coefficient"), result_of(results, "lift_coefficient")});
  return forces;
}

// A solve that is prepared for the first flow and loaded with the others.
class FlowWorker {
 public:
  explicit FlowWorker(const TunnelFlow& flow) : flow_(flow), on_(backend({flow.row->backend, flow.device})) {}

  // `stops`: as FlowSolver::Calls, of this flow.
  FlowAround solved(const std::function<std::shared_ptr<const FlowProblem>()>& make,
                    const std::function<bool(const std::vector<ForceLook>&)>& stops) {
    FlowAround found;
    try {
      prepare(make());
    } catch (const std::invalid_argument& refused) {
      found.reason = refused.what();
      return found;
    }
    solve_->reset();
    const Outcome outcome = timed(found.seconds, stops);
    if (is_stopped_) found.status = EvaluationStatus::stopped;
    found.iterations = outcome.iterations;
    found.drag = result_of(outcome.results, "drag_coefficient");
    found.lift = result_of(outcome.results, "lift_coefficient");
    if (found.status != EvaluationStatus::stopped) judge(outcome, found);
    return found;
  }
  FlowFields flow() const { return dynamic_cast<const PreparedFlow&>(*solve_).solution(); }

 private:
  // Solves until the flow ends or `stops` ends it.
  Outcome timed(double& seconds, const std::function<bool(const std::vector<ForceLook>&)>& stops) {
    struct Stopped {};
    Outcome outcome;
    is_stopped_ = false;
    solve_->solver().on_check = nullptr;
    if (stops)
      solve_->solver().on_check = [&](const Outcome& so_far) {
        outcome = so_far;
        if (so_far.relative_residual > flow_.tolerance && stops(forces_of(so_far))) throw Stopped();
      };
    seconds = on_.seconds([&] {
      try {
        outcome = solve_->solve(flow_.tolerance, flow_.max_iterations);
      } catch (const Stopped&) {
        is_stopped_ = true;
      }
    });
    return outcome;
  }
  void judge(Outcome outcome, FlowAround& found) {
    const Judgement judgement = solve_->verify(outcome, flow_.tolerance);
    const LateDrag late = late_drag(outcome);
    found.drag_change = late.range;
    found.status = EvaluationStatus::ok;
    const bool is_finite = std::isfinite(found.drag) && std::isfinite(found.lift) && std::isfinite(late.mean);
    const std::string residual =
        fmt::format("the residual is {:.2g} after {} iterations, above the tolerance of {:g}",
                    judgement.true_residual, outcome.iterations, flow_.tolerance);
    if (!judgement.wrong.empty() || !is_finite || !(judgement.true_residual <= largest_residual)) {
      found.status = EvaluationStatus::diverged;
      found.reason = judgement.wrong.empty() ? residual : judgement.wrong;
      if (!is_finite) found.drag = found.lift = found.drag_change = 0;
    } else if (!judgement.converged) {
      found.status = EvaluationStatus::unconverged;
      found.reason = residual;
      found.drag = late.mean;
    }
  }
  void prepare(std::shared_ptr<const FlowProblem> problem) {
    if (solve_) return solve_->load(std::move(problem));
    const LevelLookup levels = tuning::look_up_levels(flow_.config, on_.id());
    solve_ = flow_.row->prepare_solve(on_, flow_.config, std::move(problem), levels.configs);
    solve_->solver().ends_when_stalled = true;  // a flow that is not steady
  }

  const TunnelFlow& flow_;
  Backend& on_;
  std::unique_ptr<PreparedSolve> solve_;
  bool is_stopped_ = false;
};

class SingleFlows final : public FlowSolver {
 public:
  explicit SingleFlows(const TunnelFlow& flow) : flow_(flow) {
    if (flow.workers > 1 && flow.row->backend != BackendKind::serial)
      throw std::invalid_argument(
          fmt::format("{} workers need the serial backend; {} runs one flow at a time", flow.workers,
                      to_string(flow.row->backend)));
    for (int n = 0; n < flow.workers; ++n) workers_.push_back(std::make_unique<FlowWorker>(flow_));
  }

  void solve(std::size_t flows, const Make& make, const Calls& calls) override {
    std::mutex one_at_a_time;
    std::size_t next = 0;
    std::exception_ptr thrown;
    const auto work = [&](FlowWorker& worker) {
      std::unique_lock lock(one_at_a_time);
      while (next < flows && !thrown) {
        const std::size_t n = next++;
        lock.unlock();
        std::optional<FlowAround> found;
        std::optional<FlowFields> flow;
        std::exception_ptr of_solve;
        try {
          found = worker.solved([&] { return make(n); }, stops_of(calls, n));
          if (calls.wants_flows && found->status == EvaluationStatus::ok) flow = worker.flow();
        } catch (...) {
          of_solve = std::current_exception();
        }
        lock.lock();
        try {
          if (of_solve) std::rethrow_exception(of_solve);
          if (!thrown) calls.ended(n, *found, flow ? &*flow : nullptr);
        } catch (...) {
          if (!thrown) thrown = std::current_exception();
        }
      }
    };
    std::vector<std::thread> threads;
    for (std::size_t n = 1; n < std::min(workers_.size(), flows); ++n)
      threads.emplace_back(work, std::ref(*workers_[n]));
    work(*workers_.front());
    for (std::thread& thread : threads) thread.join();
    if (thrown) std::rethrow_exception(thrown);
  }

 private:
  static std::function<bool(const std::vector<ForceLook>&)> stops_of(const Calls& calls, std::size_t n) {
    if (!calls.stops) return nullptr;
    return [&calls, n](const std::vector<ForceLook>& forces) { return calls.stops(n, forces); };
  }

  TunnelFlow flow_;
  std::vector<std::unique_ptr<FlowWorker>> workers_;
};

constexpr const char* status_names[] = {"ok", "unconverged", "diverged", "infeasible", "failed", "stopped"};

}  // namespace

std::string to_string(EvaluationStatus status) { return status_names[int(status)]; }

EvaluationStatus evaluation_status_from(const std::string& word) {
  for (int n = 0; n < int(std::size(status_names)); ++n)
    if (word == status_names[n]) return EvaluationStatus(n);
  throw std::invalid_argument(fmt::format("unknown status '{}'", word));
}

std::unique_ptr<FlowSolver> single_flows(const TunnelFlow& flow) {
  return std::make_unique<SingleFlows>(flow);
}

}  // namespace cfdmark
