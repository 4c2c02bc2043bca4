// Interface of an iterative method. Solver (solver.hpp) drives it in a solve. InnerSolve
// (solvers/flow/inner_solve.hpp) drives it in a linear solve inside a flow iteration.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "kernels/core/step.hpp"
#include "solvers/base/convergence.hpp"

namespace cfdmark {

class Iteration {
 public:
  virtual ~Iteration() = default;
  // Prepares the first iteration from the current unknowns.
  virtual void start() = 0;
  // Performs up to `most` iterations and returns their number. A method that checks its own residual may stop
  // early, once the residual has fallen to `reduction` times its present value.
  virtual int advance(int most, double reduction) = 0;
  // Residual, relative to the first, above which the method has diverged and cannot recover.
  virtual double highest_residual() const { return divergence_limit; }
  // Returns the present residual norms, one per equation. Waits for the backend.
  virtual std::vector<NamedValue> residuals() = 0;
  // Number of iterations after which the sequence of backend calls repeats. A recorded graph must hold a
  // multiple of it.
  virtual int period() const { return 1; }
  // Largest useful number of iterations between two residual checks. BiCGSTAB limits it: on few unknowns its
  // answer is soon exact, and further iterations divide one rounding error by another.
  virtual int longest_interval() const { return std::numeric_limits<int>::max(); }
  // Address in the backend's memory to which check_residual() writes the squared residual norm. Valid after a
  // multiple of period() iterations since start(). Null if the method needs the host or has several
  // residuals; then only residuals() computes them.
  virtual const double* residual_square() const { return nullptr; }
  virtual void check_residual() {}
  // True if residuals() are already relative to a scale that the method knows, for example the mass flow.
  // Otherwise the solver divides them by the first residuals of the solve.
  virtual bool residuals_are_shares() const { return false; }
  // True if the residual has stagnated at rounding level. Valid after residuals().
  virtual bool has_stalled() const { return false; }
  // Number of iterations at which the method ends whatever its residuals, such as the last time step. A solve
  // that reaches it with finite residuals counts as converged. The maximum of int if there is no such end.
  virtual int final_iteration() const { return std::numeric_limits<int>::max(); }
  // Returns derived values of the present solution, such as errors and coefficients. Waits for the backend.
  virtual std::vector<NamedValue> results() { return {}; }
  // Writes the current iterate to the unknowns if the method keeps it elsewhere. Must not change what later
  // iterations read, so that monitoring a solve does not alter it.
  virtual void store() {}
  // Ends a solve: store(), and any post-processing of the answer alone.
  virtual void finish() { store(); }
  // Called between two solves after the values of the operator have changed. Methods of libraries rebuild
  // what they derived from them; others read the operator in each solve. May allocate.
  virtual void operator_changed() {}
  // Returns the declared cost of start() and the `iterations` after it.
  virtual Cost cost(int iterations) const = 0;
  virtual Cost check_cost() const { return {}; }  // declared cost of one residual check
  virtual Resources resources() const = 0;        // of one iteration
};

// An iteration with two sets of scalars, the current and the next, that swap roles in each iteration.
class AlternatingIteration : public Iteration {
 public:
  int advance(int most, double) final {
    for (int n = 0; n < most; ++n, now_ = 1 - now_) iterate(now_);
    return most;
  }
  int period() const final { return 2; }

 protected:
  // `now` is 0 in the first iteration, 1 in the second, 0 in the third.
  virtual void iterate(int now) = 0;
  int now_ = 0;  // start() must set it to 0
};

}  // namespace cfdmark
