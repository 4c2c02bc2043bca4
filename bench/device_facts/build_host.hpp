// Compares the processor of the build machine with the present one.
#pragma once

#include <string>

#include "bench/device_facts/build_info.hpp"
#include "bench/device_facts/host_facts.hpp"

namespace cfdmark {

// Returns the name of the processor that the program was built on; empty if unknown.
std::string build_host_name(const BuildHost&);

// Returns true if -march=native meant another kind of processor than this one: instructions may be missing or
// unused, and the code is scheduled for the other. False if either processor is unknown.
bool built_for_another_processor(const BuildInfo&, const Processor& here);

}  // namespace cfdmark
