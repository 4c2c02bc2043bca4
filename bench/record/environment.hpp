// The environment line of results/README.md: where the numbers of a run come from.
#pragma once

#include <string>
#include <vector>

#include "bench/text/json.hpp"
#include "kernels/device/cuda/runtime/cuda.hpp"

namespace cfdmark {

// Returns the facts that need no device.
Json describe_program_and_host();

// Sets `gpu`, the facts of the first GPU or the reason why there is none, and `gpus` if there are several.
void describe_gpus(Json& environment, const std::vector<CudaFacts>&, const std::string& why_none);

// Returns a sentence for each fact that makes times longer or less reproducible.
std::vector<std::string> environment_warnings(const Json& environment);

// Returns everything but roofs, time and id. Queries the devices.
Json describe_environment();

// Returns the line to write: with the roofs (a list, may be empty), an id hashed from all of these, and the
// time.
Json environment_line(Json description, Json roofs);

}  // namespace cfdmark
