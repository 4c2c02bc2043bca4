// An iteration: what a method does over and over. The one loop that drives it is Solver's (solver.hpp).
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "kernels/core/step.hpp"
#include "solvers/core/convergence.hpp"

namespace cfdmark {

class Iteration {
 public:
  virtual ~Iteration() = default;
  // From the unknowns as they are to what the first iteration needs.
  virtual void start() = 0;
  // Iterates `most` times, or fewer once its residual has fallen to `reduction` times what it is. Returns how
  // often. An iteration that does not look at its residual by itself iterates `most` times.
  virtual int advance(int most, double reduction) = 0;
  // The residual, relative to the first, above which it has diverged for good.
  virtual double highest_residual() const { return divergence_limit; }
  // Its residuals now, each a norm. Waits for the backend.
  virtual std::vector<NamedValue> residuals() = 0;
  // Iterations after which it gives the backend the same work again: what is recorded once and repeated must
  // hold as many, or a multiple.
  virtual int period() const { return 1; }
  // The largest number of iterations that makes sense without a look at the residual: more than that many may
  // go on from an exact answer, where a method divides one rounding error by another.
  virtual int longest_interval() const { return std::numeric_limits<int>::max(); }
  // Where look() leaves the square of its residual, if that is one norm and no host is needed for it, after a
  // multiple of its period since start(); in the backend's memory. Null: only residuals() tells.
  virtual const double* residual_square() const { return nullptr; }
  virtual void look() {}
  // Whether these are shares already, of something that it knows; else they are taken relative to the first.
  virtual bool residuals_are_shares() const { return false; }
  // After residuals(): whether iterating on gains nothing, because rounding has the last word.
  virtual bool has_stalled() const { return false; }
  // Iterations after which it is where it was to go, and not before, whatever the residuals: at an end in
  // time, say.
  virtual int arrival() const { return std::numeric_limits<int>::max(); }
  // What it knows of the answer as it is. Waits for the backend.
  virtual std::vector<NamedValue> results() { return {}; }
  // Brings the unknowns up to date where the iteration keeps them elsewhere. It changes nothing that the
  // iterations to come read: a solve that is watched is the same as one that is not.
  virtual void store() {}
  // Ends a solve: what store() does, and what is done to the answer alone.
  virtual void finish() { store(); }
  virtual Cost cost(int iterations) const = 0;  // declared, of so many since start()
  virtual Cost check_cost() const { return {}; }
  virtual Resources resources() const = 0;  // of one iteration
};

// An iteration that needs two sets of scalars, the current and the next, in turn.
class AlternatingIteration : public Iteration {
 public:
  int advance(int most, double) final {
    for (int n = 0; n < most; ++n, now_ = 1 - now_) iterate(now_);
    return most;
  }
  int period() const final { return 2; }

 protected:
  // `now` is 0 in the first iteration, 1 in the second, 0 in the third ..
  virtual void iterate(int now) = 0;
  int now_ = 0;  // start() sets it back
};

}  // namespace cfdmark
