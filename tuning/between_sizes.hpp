// Chooses extra grid sizes between two searched sizes whose winners differ, and the candidates to measure
// there. The result depends only on a table of times.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace cfdmark::tuning {

// Times of one candidate at two neighbouring sizes.
struct TimesAtTwo {
  double below, above;  // seconds per step; infinite if not measured
  // Largest grid, in cells, of a cooperative kernel that keeps the blocks per SM of the smaller size.
  // Infinite for other candidates.
  double most_cells = std::numeric_limits<double>::infinity();

  // True for a candidate that does several steps per run. It cuts the grid into large tiles, and how these
  // fill the device depends on the grid. Between sizes far apart its time cannot be interpolated.
  bool cuts_large_tiles = false;

  // False if the sizes may not share an answer and the candidate is not the default at both.
  bool may_answer_both = true;

  bool waits() const { return most_cells < std::numeric_limits<double>::infinity(); }
};

struct SizeBetween {
  double cells = 0;
  std::vector<std::size_t> candidates;  // fastest by estimate, best first
};

// Returns the sizes to measure between two sizes, by increasing number of cells:
// - those of `edges` that lie between: the times at both sizes do not show what changes there;
// - one just beyond the smaller size, if its winner is cooperative and reaches its limit there: from there on
//   another candidate is best, which need not be the winner at the larger size;
// - the limits of cooperative candidates that are estimated to beat all candidates with larger limits, at
//   most the four with the largest gain;
// - the geometric mean, unless one of the above is near it.
//
// Estimates: each block of a cooperative kernel does the same work on any grid, and all blocks run at once.
// Up to its limit such a candidate takes its time at the smaller size, beyond it that at the larger. The
// times of others are interpolated linearly in logarithms. A candidate timed at one size only keeps its ratio
// to the fastest non-cooperative candidate.
//
// Returns nothing if no edge lies between and one candidate is within tolerance of the best at both sizes and
// may answer both. Between sizes far apart a candidate with large tiles does not count for this, unless it is
// cooperative. Also returns nothing if the sizes are too close to differ, or too far apart to interpolate
// (size_ranges.hpp).
std::vector<SizeBetween> sizes_between(double cells_below, double cells_above, const std::vector<TimesAtTwo>&,
                                       const std::vector<double>& edges = {});

}  // namespace cfdmark::tuning
