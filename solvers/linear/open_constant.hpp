// Systems that leave a constant open (Sides::leave_constant_open). They have an answer only if the mean of
// the right-hand side is 0, and then any constant may be added to it. Here the mean is taken out of a copy of
// the right-hand side before a solve, and out of the answer after it. In between a solver takes it out of
// what it iterates on: exact arithmetic keeps residuals at mean 0, rounding does not, and where a residual
// falls far its constant is all that is left.
#pragma once

#include <functional>

#include "solvers/linear/method.hpp"

namespace cfdmark {

// Takes the mean out of a field of a system that leaves a constant open. On other systems it does nothing and
// costs nothing.
class MeanRemoval {
 public:
  MeanRemoval() = default;
  MeanRemoval(const System&, const Config&, const AnyView& field);

  explicit operator bool() const { return !operations_.empty(); }
  void operator()() const {
    for (const Operation& operation : operations_) operation();
  }
  const std::vector<Operation>& operations() const { return operations_; }
  Cost cost() const;
  void add_to(Resources&) const;

 private:
  Field ones_;
  DeviceScalar sum_;
  std::vector<Operation> operations_;
};

// Makes an iteration on a system.
using MakeIteration = std::function<std::unique_ptr<Iteration>(const System&)>;
// The iteration that `make` makes, on a system without the mean of its right-hand side where that leaves a
// constant open. The system's own right-hand side stays as it is.
std::unique_ptr<Iteration> without_constant(const System&, const Config&, const MakeIteration& make);
// The same of a method's iteration.
std::unique_ptr<Iteration> prepare_iteration(const SolverMethod&, const System&, const Config&);

}  // namespace cfdmark
