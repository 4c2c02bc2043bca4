// Whether a case fits into memory, asked before anything is allocated.
#pragma once

#include <string>

#include "bench/catalog/case.hpp"

namespace cfdmark {

// Why the case is too large for this machine, with the numbers; empty if it fits. To be asked while no other
// case is prepared.
std::string memory_refusal(const Case&);

// Whether the case can be prepared beside the others, and as much memory again is left.
bool leaves_room(const Case&);

}  // namespace cfdmark
