// Where the numbers of a run come from: the environment line of results/README.md.
#pragma once

#include <string>
#include <vector>

#include "bench/record/json.hpp"
#include "kernels/backends/cuda.hpp"

namespace cfdmark {

// What needs no device to be asked.
Json describe_program_and_host();

// Sets `gpu`, the facts of the first or why there is none, and where there are several `gpus`, those of each.
void describe_gpus(Json& environment, const std::vector<CudaFacts>&, const std::string& why_none);

// What in an environment makes times longer than this machine's, or spread more: one sentence each.
std::vector<std::string> environment_warnings(const Json& environment);

// Everything but roofs, time and id. Asks the devices for their facts.
Json describe_environment();

// The line to write: with the roofs (a list, may be empty), an id made of all that, and the time.
Json environment_line(Json description, Json roofs);

}  // namespace cfdmark
