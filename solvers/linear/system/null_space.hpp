// Singular systems, whose null space is the constants (Sides::is_singular). A solution exists only if
// the mean of the right-hand side is 0, and any constant may be added to it. The mean is removed from a copy
// of the right-hand side before a solve and from the answer after it. During the solve each method also
// removes it from the field that it iterates on: rounding makes the mean of a residual grow until it
// dominates a small residual.
#pragma once

#include <functional>

#include "solvers/linear/system/method.hpp"

namespace cfdmark {

// Subtracts the mean from a field of a singular system. On other systems it does nothing and costs nothing.
class MeanRemoval {
 public:
  MeanRemoval() = default;
  MeanRemoval(const System&, const Config&, const AnyView& field);  // shares System::ones, if set

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
// Returns make(system), for a singular system on a copy of the right-hand side without its mean. The system's
// own right-hand side does not change.
std::unique_ptr<Iteration> without_constant(const System&, const Config&, const MakeIteration& make);
// Returns the same for the iteration of a method.
std::unique_ptr<Iteration> prepare_iteration(const SolverMethod&, const System&, const Config&);

}  // namespace cfdmark
