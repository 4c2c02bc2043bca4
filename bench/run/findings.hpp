// What a run found, in a few lines for the person who started it.
#pragma once

#include <string>
#include <vector>

#include "bench/record/json.hpp"

namespace cfdmark {

// Of records with one for each case: who is fastest at each solver and kernel on its largest grid, which case
// in memory reaches least of the roof, and what went wrong. Empty if there is nothing to say.
std::string findings_text(const std::vector<Json>& records);

}  // namespace cfdmark
