// Checks whether a case fits into memory, before anything is allocated.
#pragma once

#include <string>

#include "bench/case/case.hpp"

namespace cfdmark {

// Returns why the case is too large for this machine, with the numbers; empty if it fits. Valid only while no
// other case is prepared.
std::string memory_refusal(const Case&);

// Returns true if the case can be prepared next to the present ones with as much memory again to spare.
bool leaves_room(const Case&);

}  // namespace cfdmark
