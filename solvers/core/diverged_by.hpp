// When a solve went wrong.
#pragma once

#include <optional>

#include "solvers/core/outcome.hpp"

namespace cfdmark {

// Of residuals relative to the first, of which the last is a thousand or more or no number: the iteration of
// the first check at which one was. None of others: what has come down again did not diverge.
inline std::optional<int> diverged_by(const Outcome& outcome) {
  if (outcome.relative_residual <= 1000) return {};
  for (const auto& [iteration, residual] : outcome.history)
    if (!(residual <= 1000)) return iteration;  // a NaN too
  return {};
}

}  // namespace cfdmark
