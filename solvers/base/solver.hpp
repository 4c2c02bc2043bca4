// The loop of a solve. It repeats an iterative method, chooses the distance to the next residual check,
// replays graphs, decides when to stop, and keeps the history.
#pragma once

#include <functional>
#include <memory>

#include "kernels/core/config.hpp"
#include "solvers/base/iteration.hpp"
#include "solvers/base/recording.hpp"
#include "solvers/base/routines.hpp"

namespace cfdmark {

class Solver {
 public:
  // `config` may hold check_interval and graph_iterations. Without check_interval the iteration itself
  // decides where to stop for a check. An interval is at most Iteration::longest_interval(). The clock, which
  // may be null, times the iteration's routines and must outlive the solver.
  Solver(Backend&, std::unique_ptr<Iteration>, const Config&, const RoutineClock* = nullptr);
  Solver(const Solver&) = delete;  // the recorded work refers to this object
  Solver& operator=(const Solver&) = delete;

  // Solves from the current unknowns and leaves the solution there. Stops at the first of these:
  // - All residuals have fallen to `tolerance`, relative to their first values unless
  //   Iteration::residuals_are_shares(). An iteration with an end, final_iteration(), ignores the tolerance
  //   and stops at its end.
  // - max_iterations is reached.
  // - A residual is NaN, or above highest_residual() unless residuals_are_shares().
  // - The iteration reports a stall, or ends_when_stalled is set and the residual has stopped falling.
  Outcome solve(double tolerance, int max_iterations);
  // To be called after the values of the operator have changed (Iteration::operator_changed).
  void operator_changed() { iteration_->operator_changed(); }
  Resources resources() const { return iteration_->resources(); }
  // Called at each check with the outcome so far, when the unknowns are up to date. Not set in a timed solve.
  std::function<void(const Outcome& so_far)> on_check;
  // True: a solve also ends when its residual has stopped falling. Used by a solve inside another one, which
  // restarts it from a new residual.
  bool ends_when_stalled = false;

 private:
  bool may_go_on(const Outcome&) const;
  bool has_stalled(const Outcome&) const;
  int advance(int most, double reduction);
  void check(Outcome&, const std::vector<NamedValue>& first, std::vector<NamedValue> now) const;

  std::unique_ptr<Iteration> iteration_;
  const RoutineClock* clock_;
  int check_interval_, recorded_iterations_;
  RecordedWork recorded_;  // after iteration_, whose kernels it holds
};

}  // namespace cfdmark
