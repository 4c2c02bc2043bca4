// The loop that drives every iteration: how far to the next look at the residual, what is recorded as graphs,
// when to stop, what is noted on the way.
#pragma once

#include <functional>
#include <memory>

#include "kernels/core/config.hpp"
#include "solvers/core/iteration.hpp"
#include "solvers/core/recording.hpp"
#include "solvers/core/routines.hpp"

namespace cfdmark {

class Solver {
 public:
  // The config says check_interval, and may say graph_iterations; without, the iteration itself ends where
  // the residual is to be looked at. The clock, if there is one, is that of the iteration's routines, and
  // outlives the solver.
  Solver(Backend&, std::unique_ptr<Iteration>, const Config&, const RoutineClock* = nullptr);
  Solver(const Solver&) = delete;  // what is recorded knows its place
  Solver& operator=(const Solver&) = delete;

  // Starts from the unknowns as they are and leaves the solution there. Stops when each residual has fallen
  // to `tolerance` (times its first, unless it is a share already), or, of an iteration that has an end,
  // there and not before; at max_iterations; when a residual is no longer a number, or has risen above
  // Iteration::highest_residual() times its first.
  Outcome solve(double tolerance, int max_iterations);
  Resources resources() const { return iteration_->resources(); }
  // Called at each check with what is known by then; the unknowns are up to date then. Not set while time is
  // taken.
  std::function<void(const Outcome& so_far)> on_check;
  // True: a solve also ends where its residual has stopped falling. For a solve inside another, which starts
  // it again from a new residual.
  bool ends_when_stalled = false;

 private:
  bool may_go_on(const Outcome&) const;
  bool has_stalled(const Outcome&) const;
  int advance(int most, double reduction);
  void check(Outcome&, const std::vector<NamedValue>& first, std::vector<NamedValue> now) const;

  std::unique_ptr<Iteration> iteration_;
  const RoutineClock* clock_;
  int check_interval_, recorded_iterations_;
  RecordedWork recorded_;  // behind the iteration, whose kernels it holds
};

}  // namespace cfdmark
