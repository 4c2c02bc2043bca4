// What solvers share whose iterations need two sets of scalars, the current and the next, in turn: blocks of iterations,
// and a look at the residual after each.
#pragma once

#include "solvers/solver.hpp"

namespace cfdmark {

class KrylovSolver : public Solver {
 public:
  Outcome solve(double tolerance, int max_iterations) final;

 protected:
  explicit KrylovSolver(int check_interval) : check_interval_(check_interval) {}

  // From the system's u to what the first iteration needs.
  virtual void start() = 0;
  // `now` is 0 in the first iteration, 1 in the second, 0 in the third ..
  virtual void iterate(int now) = 0;
  // r.r before an iteration with that `now`.
  virtual double squared_residual(int now) = 0;
  virtual Cost iteration_cost() const = 0;

 private:
  void check(Outcome&, double residual, double first) const;

  int check_interval_;
};

}  // namespace cfdmark
