// Finds why a case cannot run on this machine, without starting a backend.
#pragma once

#include <cstddef>
#include <string>

#include "bench/case/case.hpp"

namespace cfdmark {

// Returns the reason in one sentence; empty if the case can be tried. `host_memory` is the memory available
// on the host, in bytes. Device memory is not checked here.
std::string why_not_run(const Case&, std::size_t host_memory);
// Returns the reason if the case requires more threads than available, else an empty string.
std::string more_than_there_are(const Case&);

}  // namespace cfdmark
