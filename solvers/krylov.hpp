// Solvers whose iterations need two sets of scalars, the current and the next, in turn: blocks of iterations,
// and a look at the residual after each.
#pragma once

#include <memory>

#include "kernels/backends/backend.hpp"
#include "kernels/core/config.hpp"
#include "solvers/solver.hpp"

namespace cfdmark {

// One method's iteration on a system.
class KrylovIteration {
 public:
  virtual ~KrylovIteration() = default;
  // From the system's u to what the first iteration needs.
  virtual void start() = 0;
  // `now` is 0 in the first iteration, 1 in the second, 0 in the third ..
  virtual void iterate(int now) = 0;
  // r.r before an iteration with that `now`.
  virtual double squared_residual(int now) = 0;
  virtual Cost cost() const = 0;            // of one iteration
  virtual Resources resources() const = 0;  // of one iteration
};

// The config says check_interval, and may say graph_iterations.
std::unique_ptr<Solver> krylov_solver(Backend&, std::unique_ptr<KrylovIteration>, const Config&);

}  // namespace cfdmark
