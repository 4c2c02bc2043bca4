#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "bench/shape/outline_evaluator.hpp"
#include "bench/tuned/tuned_levels.hpp"
#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {
namespace {

std::shared_ptr<const FlowProblem> problem_around(const Outline& outline, const TunnelFlow& flow) {
  DrawnBody body = body_inside(outline, "outline");
  body.reference = flow.reference;
  return std::make_shared<FlowProblem>(tunnel_around(body, flow.grid, flow.problem));
}

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

// A solve that is prepared for the first outline and loaded with the others.
class FlowWorker {
 public:
  explicit FlowWorker(const TunnelFlow& flow) : flow_(flow), on_(backend({flow.row->backend, flow.device})) {}

  FlowAround around(const Outline& outline) {
    FlowAround found;
    try {
      prepare(problem_around(outline, flow_));
    } catch (const std::invalid_argument& refused) {
      found.reason = refused.what();
      return found;
    }
    solve_->reset();
    Outcome outcome;
    found.seconds = on_.seconds([&] { outcome = solve_->solve(flow_.tolerance, flow_.max_iterations); });
    const Judgement judgement = solve_->verify(outcome, flow_.tolerance);
    found.iterations = outcome.iterations;
    found.drag = result_of(outcome.results, "drag_coefficient");
    found.lift = result_of(outcome.results, "lift_coefficient");
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
    return found;
  }

 private:
  void prepare(std::shared_ptr<const FlowProblem> problem) {
    if (solve_) return solve_->load(std::move(problem));
    const LevelLookup levels = tuning::look_up_levels(flow_.config, on_.id());
    solve_ = flow_.row->prepare_solve(on_, flow_.config, std::move(problem), levels.configs);
    solve_->solver().ends_when_stalled = true;  // a flow that is not steady
  }

  const TunnelFlow& flow_;
  Backend& on_;
  std::unique_ptr<PreparedSolve> solve_;
};

class SingleFlows final : public OutlineEvaluator {
 public:
  explicit SingleFlows(const TunnelFlow& flow) : flow_(flow) {
    if (flow.workers > 1 && flow.row->backend != BackendKind::serial)
      throw std::invalid_argument(
          fmt::format("{} workers need the serial backend; {} runs one flow at a time", flow.workers,
                      to_string(flow.row->backend)));
    for (int n = 0; n < flow.workers; ++n) workers_.push_back(std::make_unique<FlowWorker>(flow_));
  }

  void evaluate(const std::vector<Outline>& outlines,
                const std::function<void(std::size_t, const FlowAround&)>& ended) override {
    std::mutex one_at_a_time;
    std::size_t next = 0;
    std::exception_ptr thrown;
    const auto work = [&](FlowWorker& worker) {
      std::unique_lock lock(one_at_a_time);
      while (next < outlines.size() && !thrown) {
        const std::size_t n = next++;
        lock.unlock();
        std::optional<FlowAround> found;
        std::exception_ptr of_solve;
        try {
          found = worker.around(outlines[n]);
        } catch (...) {
          of_solve = std::current_exception();
        }
        lock.lock();
        try {
          if (of_solve) std::rethrow_exception(of_solve);
          if (!thrown) ended(n, *found);
        } catch (...) {
          if (!thrown) thrown = std::current_exception();
        }
      }
    };
    std::vector<std::thread> threads;
    for (std::size_t n = 1; n < std::min(workers_.size(), outlines.size()); ++n)
      threads.emplace_back(work, std::ref(*workers_[n]));
    work(*workers_.front());
    for (std::thread& thread : threads) thread.join();
    if (thrown) std::rethrow_exception(thrown);
  }

 private:
  TunnelFlow flow_;
  std::vector<std::unique_ptr<FlowWorker>> workers_;
};

constexpr const char* status_names[] = {"ok", "unconverged", "diverged", "infeasible", "failed"};

}  // namespace

std::string to_string(EvaluationStatus status) { return status_names[int(status)]; }

EvaluationStatus evaluation_status_from(const std::string& word) {
  for (int n = 0; n < int(std::size(status_names)); ++n)
    if (word == status_names[n]) return EvaluationStatus(n);
  throw std::invalid_argument(fmt::format("unknown status '{}'", word));
}

std::unique_ptr<OutlineEvaluator> single_flows(const TunnelFlow& flow) {
  return std::make_unique<SingleFlows>(flow);
}

}  // namespace cfdmark
