// Known drag of bodies in the tunnel.
#pragma once

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

// Returns the known drag coefficient of a body, by its complete tunnel settings; empty if there is none.
std::vector<PublishedValue> known_drag(const Config& settings);

}  // namespace cfdmark
