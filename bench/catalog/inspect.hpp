// Resources of a kernel's CUDA methods by block shape, without running them.
#pragma once

#include <string>

#include "bench/case/given_settings.hpp"

namespace cfdmark {

struct InspectRequest {
  std::string kernel, architecture = "sm_90", precision = "fp64", method;
  bool in_3d = false, all_configs = false;
  GivenSettings asked;
};

// Compiles the methods and prints their registers, shared memory, spills and occupancy. Throws
// std::invalid_argument for an unknown kernel or method.
void inspect(InspectRequest);

// Returns the settings of the kernel's workload, as options, and of its CUDA methods; empty without a kernel.
// Throws std::invalid_argument for an unknown kernel or method.
std::string inspect_settings_help(const InspectRequest&);

}  // namespace cfdmark
