// Known drag of bodies in the tunnel.
#pragma once

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

// Returns the known drag coefficient of a body, by its complete tunnel settings; empty if there is none.
std::vector<PublishedValue> known_drag(const Config& settings);
// The same for the problem tow, and the spread of |vorticity| on the surface.
std::vector<PublishedValue> known_drag_of_tow(const Config& settings);

}  // namespace cfdmark
