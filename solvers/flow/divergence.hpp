// Finds the last good iteration of a diverged flow solve, and the flow after it.
#pragma once

#include <optional>

#include "solvers/flow/table.hpp"

namespace cfdmark {

// Returns false if a velocity exceeds 100 times the expected speed, or if a velocity or pressure is not
// finite.
bool is_sound(const FlowProblem&, const FlowFields&);

struct Divergence {
  int last_good = 0;  // iteration; 0: the first one diverged
  FlowFields flow;    // after last_good iterations
};
// Locates the divergence of the last solve, which started from the problem's start and ended with `outcome`.
// Empty if it converged, or if its flow is sound and its residual finite. Otherwise the iterations are
// repeated: the flow is checked at every residual check, then after every iteration from the last good check
// on.
std::optional<Divergence> find_divergence(PreparedFlow&, const FlowProblem&, const Outcome&);

}  // namespace cfdmark
