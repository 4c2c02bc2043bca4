// The `ranks` object of a record.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "solvers/base/rank_facts.hpp"

namespace cfdmark {

// Returns the facts of a case on several ranks (results/README.md), with the medians of its timed solves: the
// seconds of each solve, by rank. Without solves there are no times. Collective between processes, each of
// which gives its own facts; all get those of all.
nlohmann::json ranks_json(RankFacts, std::vector<std::vector<RankSeconds>> solves);

}  // namespace cfdmark
