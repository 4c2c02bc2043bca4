// A shard is one of several parts of a sweep, each for another machine.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/text/json.hpp"

namespace cfdmark {

struct Shard {
  int index = 1;  // from 1 to `count`
  int count = 1;
};

// Parses, for example, "2/4". Throws std::invalid_argument unless 1 <= index <= count.
Shard shard_from(const std::string& text);
std::string to_string(const Shard&);

// Returns the cases of a shard in the order of the sweep. Each case is in exactly one shard, and cases
// measured together stay together (run_plan.hpp). The shard depends on the cases only, so machines that
// differ, for example in free memory, agree on the parts. Groups are assigned by size, largest first, to the
// smallest shard (Graham, Bounds on Multiprocessing Timing Anomalies, SIAM J. Appl. Math. 17, 1969), so that
// shards differ by at most `largest_group` cases.
std::vector<Case> cases_of(const std::vector<Case>& sweep, const Shard&);

// Returns the part of the environment line that `cfdmark merge` needs to check that all shards are present.
Json sweep_facts(const std::vector<Case>& sweep, const Shard&);

}  // namespace cfdmark
