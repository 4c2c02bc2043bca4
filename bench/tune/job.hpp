// One of several tunes: what it asks, how much of a budget it should have, what is answered already.
#pragma once

#include <string>
#include <vector>

#include "bench/tune/tune.hpp"
#include "bench/tune/tuned_table.hpp"

namespace cfdmark::tuning {

// One kernel or solver in one precision, on grids of one dimension.
struct TuneJob {
  std::vector<TuneSubject> subjects;
  std::string scope = "all";  // TuneOptions::scope

  const Row& row() const { return *subjects.front().methods.front(); }
};
// "jacobi/cuda/fp64 on 128x128 to 8192x8192"
std::string job_name(const TuneJob&);

// How many configs there are to try, by the lists of values and without regard to constraints, those of
// solvers and of several steps at once four times; no more than 2000 of a grid count.
double job_weight(const TuneJob&);
// So many configs of a grid count for its share, and are compiled ahead.
inline constexpr std::size_t most_configs = 500;
// Seconds that it should have.
double seconds_needed(const TuneJob&);

// The grids that a device's entries answer for a job, as it is asked and with the source as it is now, by
// more than a few configs, or found to have none that works.
std::vector<Grid> answered_grids(const TuneJob&, const TuneOptions&, const std::vector<Json>& entries);
// Whether those are all of its grids.
bool is_answered(const TuneJob&, const TuneOptions&, const std::vector<Json>& entries);

}  // namespace cfdmark::tuning
