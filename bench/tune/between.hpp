// Between the sizes that were searched: grids on which some of what was found on either side is measured.
#pragma once

#include <vector>

#include "bench/tune/tune.hpp"

namespace cfdmark::tuning {

struct GridBetween {
  Grid grid;                          // of the shape of its smaller neighbour
  std::vector<Candidate> candidates;  // to be measured there, the most promising first
  // Where the cache ends what was found on either side may not be what is best: all are searched.
  bool at_edge = false;
};

// By the samples of the searches (tuning/between_sizes.hpp). `answers` in the order of their cells;
// `environment`: the line that their records name.
std::vector<GridBetween> between(const std::vector<TuneAnswer>& answers, const Json& environment);

}  // namespace cfdmark::tuning
