// The `detail` object of the `ranks` of a record.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "solvers/base/ranked_solve.hpp"

namespace cfdmark {

// Adds to the `ranks` object the medians of these details: of each solve, by rank. Does nothing unless there
// are those of all ranks. Collective between processes, each of which gives its own.
void add_details(nlohmann::json& ranks, std::vector<std::vector<RankDetail>> solves);

}  // namespace cfdmark
