// The rank that this process is.
#pragma once

#include "kernels/ranks/ranks.hpp"

namespace cfdmark {

// Returns this process's rank among processes that have joined; null if it is not one of several.
Ranks* process_rank();
// Sets it for the time that these ranks live; null at their end.
void set_process_rank(Ranks*);

}  // namespace cfdmark
