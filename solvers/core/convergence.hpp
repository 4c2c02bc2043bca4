// When a solve has converged and when it has diverged: the one rule of `solve`, `run` and the reports.
#pragma once

#include <optional>
#include <string>

#include "solvers/core/outcome.hpp"

namespace cfdmark {

// A solver stops by a residual that it computes in its own precision, and that the answer may not have. The
// true residual is computed from the answer by the host in 64 bits. It may exceed the tolerance by this
// factor, for the rounding of both. scripts/cfdmark/records/records.py has the same number.
inline constexpr double true_residual_factor = 1.5;

// False for NaN. Both are relative to the first residual.
inline bool is_converged(double true_residual, double tolerance) {
  return true_residual <= true_residual_factor * tolerance;
}

// A solve that ends with a residual above this, relative to the first, has diverged, and a residual above it
// ends a solve. Only a method whose residual may come down from there says otherwise
// (Iteration::highest_residual).
inline constexpr double divergence_limit = 100;

// The iteration of the first check whose residual, relative to the first, is above the limit or NaN. Empty if
// the last residual is within the limit: that solve has recovered.
std::optional<int> diverged_by(const Outcome&);

// What the true residual says of a solve.
struct Judgement {
  double true_residual = 0;
  bool converged = false;
  double difference = 0;  // between the residual that the solver claims and the true one
  std::string wrong;      // why the answer is wrong; empty if it is not
};

// `allowed`: the difference that rounding explains.
Judgement judge(const Outcome&, double true_residual, double tolerance, double allowed);

// A residual relative to the first one. If that is 0 the start was the answer.
double relative_to_first(double residual, double first);

}  // namespace cfdmark
