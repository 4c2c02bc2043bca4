// Solves of flows that went wrong: when, and what the flow was before.
#pragma once

#include <optional>

#include "solvers/flow/table.hpp"

namespace cfdmark {

// Not a hundred times as fast anywhere as the problem expects, nor without a number for a velocity or a
// pressure.
bool is_sound(const FlowProblem&, const FlowFields&);

struct Divergence {
  int last_good = 0;  // iteration; 0: the first went wrong already
  FlowFields flow;    // after it
};
// Of the last solve, from the problem's start, which ended with `outcome`; none if it converged, or has a
// sound flow with a finite residual. Else the same iterations are done again, and the flow is looked at after
// each check, and from the last check at which it was sound after each iteration.
std::optional<Divergence> find_divergence(PreparedFlow&, const FlowProblem&, const Outcome&);

}  // namespace cfdmark
