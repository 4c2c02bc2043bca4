// One job of a tune of several kernels and solvers: its workload, its weight in the budget, and whether the
// table answers it already.
#pragma once

#include <string>
#include <vector>

#include "bench/tune/tune.hpp"
#include "bench/tuned/tuned_table.hpp"

namespace cfdmark::tuning {

// One kernel or solver in one precision, on grids of one dimension.
struct TuneJob {
  std::vector<TuningTarget> targets;
  std::string scope = "all";  // TuneOptions::scope

  const Row& row() const { return *targets.front().methods.front(); }
};
// Returns a name such as "jacobi/cuda/fp64 on 128x128 to 8192x8192".
std::string job_name(const TuneJob&);

// Returns the number of configs by the lists of values, constraints ignored. Configs of solvers and of
// methods with several steps per run count four times; at most 2000 count per grid.
double job_weight(const TuneJob&);
// Largest number of configs of a grid that count for its share and are compiled ahead.
inline constexpr std::size_t most_configs = 500;
// Returns the seconds that the job should get.
double seconds_needed(const TuneJob&);

// Returns the grids for which the device's entries have a current answer with the same settings: after trying
// more than a few configs, or found to have no config that works.
std::vector<Grid> answered_grids(const TuneJob&, const TuneOptions&, const std::vector<Json>& entries);
// Returns true if all grids of the job are answered.
bool is_answered(const TuneJob&, const TuneOptions&, const std::vector<Json>& entries);

}  // namespace cfdmark::tuning
