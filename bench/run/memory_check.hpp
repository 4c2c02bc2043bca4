// Whether a case fits into memory, asked before anything is allocated.
#pragma once

#include <string>

#include "bench/catalog/case.hpp"

namespace cfdmark {

// Why the case is too large for this machine, with the numbers, when nothing else is alive in this process;
// empty if it fits.
std::string memory_refusal(const Case&);

// Whether the case can be prepared beside those that are alive, with as much again left over.
bool leaves_room(const Case&);

}  // namespace cfdmark
