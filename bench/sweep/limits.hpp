// Why a case cannot run on this machine, found without starting a backend.
#pragma once

#include <cstddef>
#include <string>

#include "bench/catalog/case.hpp"

namespace cfdmark {

// One sentence; empty if the case can be tried. `host_memory`: bytes that a case on the host may use. Memory
// of devices is not asked for here.
std::string why_not_run(const Case&, std::size_t host_memory);
// Of it, whether the case asks for more threads than there are. Empty if it does not.
std::string more_than_there_are(const Case&);

}  // namespace cfdmark
