// Whether the program runs on the kind of processor that it was compiled for.
#pragma once

#include <string>

#include "bench/record/build_info.hpp"
#include "bench/record/host_facts.hpp"

namespace cfdmark {

// The name of the processor that a program was built on; empty if unknown.
std::string build_host_name(const BuildHost&);

// True if -march=native stood for another kind of processor than this one: other instructions may be missing
// or unused, and the compiler scheduled for the other. False if the processor of either is unknown.
bool built_for_another_processor(const BuildInfo&, const Processor& here);

}  // namespace cfdmark
