// Grids between the searched sizes, on which candidates of the neighbours are measured.
#pragma once

#include <vector>

#include "bench/tune/tune.hpp"

namespace cfdmark::tuning {

struct GridBetween {
  Grid grid;                          // same shape as its smaller neighbour
  std::vector<Candidate> candidates;  // candidates to measure, most promising first
  // True near the end of the last-level cache. The neighbours' winners may not be best there, so all
  // candidates are searched.
  bool at_edge = false;
};

// Returns the grids to measure, from the search samples (tuning/between_sizes.hpp). `answers` are sorted by
// cells; `environment` is the environment line of their records.
std::vector<GridBetween> between(const std::vector<TuneAnswer>& answers, const Json& environment);

}  // namespace cfdmark::tuning
