// When a solve went wrong.
#pragma once

#include <optional>

#include "solvers/core/outcome.hpp"

namespace cfdmark {

// Of residuals relative to the first: the iteration of the first check at which one had grown a thousandfold,
// or was no number; none if it converged, or has not grown so.
inline std::optional<int> diverged_by(const Outcome& outcome) {
  if (outcome.converged) return {};
  for (const auto& [iteration, residual] : outcome.history)
    if (!(residual <= 1000)) return iteration;  // a NaN too
  return {};
}

}  // namespace cfdmark
