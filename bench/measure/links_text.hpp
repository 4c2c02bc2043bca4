// The table of the links between GPUs and to the host.
#pragma once

#include <string>

#include "bench/text/json.hpp"

namespace cfdmark {

// Returns a table with a line for each direction of the `links` of an environment, and the reasons for
// missing values below it. `gpus`: number of usable GPUs; with fewer than two the text says what is lacking.
// `why_no_gpu`: reason, if there are none.
std::string links_text(const Json& links, int gpus, const std::string& why_no_gpu);

}  // namespace cfdmark
