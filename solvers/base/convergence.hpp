// Rules for the convergence and divergence of a solve, shared by the commands `solve` and `run`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solvers/base/outcome.hpp"

namespace cfdmark {

// Factor by which the true residual may exceed the tolerance. A solver stops by a residual in its own
// precision, possibly from a recurrence. The true residual is recomputed from the answer on the host in
// double precision. The factor covers the rounding of both. scripts/cfdmark/records/records.py holds the same
// number.
inline constexpr double true_residual_factor = 1.5;

// Returns true if a solve has converged. Both arguments are relative to the first residual; false for NaN.
inline bool is_converged(double true_residual, double tolerance) {
  return true_residual <= true_residual_factor * tolerance;
}

// Largest residual, relative to the first, of a solve that has not diverged. A residual above it ends the
// solve. A method whose residual may recover from larger values overrides Iteration::highest_residual.
inline constexpr double divergence_limit = 100;

// Returns the iteration of the first check whose relative residual is NaN or above divergence_limit. Empty if
// the last residual is within the limit, since that solve has recovered.
std::optional<int> diverged_by(const Outcome&);

// Verdict on a solve by its true residual.
struct Judgement {
  double true_residual = 0;
  bool converged = false;
  double difference = 0;                   // |claimed residual - true residual|, both relative to the first
  std::string wrong;                       // why the answer is wrong; empty if it is not
  std::string check = {};                  // the quantity compared, and its reference
  std::vector<NamedValue> residuals = {};  // recomputed, of a family with several equations
  std::vector<NamedValue> facts = {};      // further facts for the record
  std::vector<PublishedValue> published = {};  // values that the results can be compared with
};

// Compares the residual that a solver claims with the true one, both relative to the first. `tolerance`: that
// of the solve. `allowed`: the largest difference that rounding explains.
Judgement judge(const Outcome&, double true_residual, double tolerance, double allowed);

// Returns residual / first. With first = 0 the initial guess solves the system: returns 0 for residual = 0,
// else infinity.
double relative_to_first(double residual, double first);

}  // namespace cfdmark
