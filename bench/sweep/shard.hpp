// A shard: one of several parts of a sweep that different machines measure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/catalog/case.hpp"
#include "bench/record/json.hpp"

namespace cfdmark {

struct Shard {
  int index = 1;  // from 1 to `count`
  int count = 1;
};

// "2/4". Throws std::invalid_argument for anything but two whole numbers with 1 <= first <= second.
Shard shard_from(const std::string& text);
std::string to_string(const Shard&);

// The cases of a shard, in the order of the sweep. Each case is in one shard, and what is measured side by
// side stays in one (run_plan.hpp). Which shard depends on the cases alone and not on what a machine can run,
// so that machines that differ, say in free memory, agree on the parts. Balanced by number of cases: the
// largest group first to the shard that has least (Graham, Bounds on Multiprocessing Timing Anomalies, SIAM
// J. Appl. Math. 17, 1969), so that two shards differ by `largest_group` cases at most.
std::vector<Case> cases_of(const std::vector<Case>& sweep, const Shard&);

// For the environment line of a run: what `cfdmark merge` needs to tell whether all parts are there.
Json sweep_facts(const std::vector<Case>& sweep, const Shard&);

}  // namespace cfdmark
