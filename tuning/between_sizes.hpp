// Between two sizes whose answers part: which sizes to measure there, and which candidates, by what was
// measured at both. A pure function of a table of times.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace cfdmark::tuning {

// What is known of a candidate at two neighbouring sizes.
struct TimesAtTwo {
  double below, above;  // seconds a step; infinite where it has no time
  // Of one whose blocks wait for each other: the most cells on which no multiprocessor has more of them than
  // at the smaller size. Infinite for others.
  double most_cells = std::numeric_limits<double>::infinity();

  // One that makes several steps at once cuts the grid in large tiles, which fill a device well or badly as
  // the grid has it: far apart, the times at both sizes say little of what lies between.
  bool cuts_large_tiles = false;

  // Sizes in different regimes of the cache do not share an answer: where one would suit both, but is the
  // default at neither, each may get another.
  bool may_answer_both = true;

  bool waits() const { return most_cells < std::numeric_limits<double>::infinity(); }
};

struct SizeBetween {
  double cells = 0;
  std::vector<std::size_t> candidates;  // the fastest that are expected there, the best first
};

// In the order of their cells:
//   - those of `edges` that lie between: there something changes that the times at both sizes do not show;
//   - just beyond the smaller size where the best there, whose blocks wait, ends: what is the best from there
//     on need not be what is best at the larger;
//   - the end of a candidate whose blocks wait, where it is expected to beat those that go on, as beyond
//     another answer is wanted: the four of these that gain the most;
//   - the middle, where none of these is near it.
// Each block that waits does the same work on any grid, and all are at work at once: up to those cells such a
// candidate is expected to take as long as at the smaller size, beyond them as long as at the larger. Others
// pass from their time at the one size to that at the other along a straight line of the logarithms; one that
// has a time at one of them alone keeps its distance from the fastest of its kind.
//
// None but at edges where a candidate is near enough to the best at both sizes and may answer both, but for
// one that cuts large tiles and does not wait at sizes far apart; nor where these are too near each other to
// part, or too far to say anything of what lies between (size_ranges.hpp).
std::vector<SizeBetween> sizes_between(double cells_below, double cells_above, const std::vector<TimesAtTwo>&,
                                       const std::vector<double>& edges = {});

}  // namespace cfdmark::tuning
