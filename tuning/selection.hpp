// Evaluates a search: its winner, the candidates that tie with it, and its gain over the default.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "kernels/core/statistics.hpp"
#include "tuning/search.hpp"

namespace cfdmark::tuning {

// False discovery rate: the expected share of equally fast candidates among those called slower.
inline constexpr double false_discoveries = 0.05;

// Ratio of times that is clear without a test. The winner of a search looks faster than it is, by a few per
// cent.
inline constexpr double clear_win_factor = 1.5;

// Tie breakers other than time.
struct Traits {
  int registers = 0;  // registers per thread, the most of all device functions; 0: unknown or not on a GPU
  // Worst ratio of the median to the best one on the other grids. Infinite if not tried on one of them.
  double worst_elsewhere = std::numeric_limits<double>::infinity();
};

// Speedup: a ratio of medians with a 95 % interval, by the same rule as the report's
// (scripts/cfdmark/stats/statistics.py; tests/examples/median_ratio.json tests both). The logarithms of the
// two medians have order-statistic intervals, and the distances to their ends add as independent errors (G.
// Zou and A. Donner, Construction of confidence limits about effect measures: a general approach, Statistics
// in Medicine 27 (2008) 1693). Below six samples per process no interval of the median reaches 95 %, and none
// is given.
struct Gain {
  double value = 1;
  std::optional<double> low, high;  // 95 % interval; empty below six samples per process
  // Least ratio of any two samples, if there is no interval; empty for single samples.
  std::optional<double> least;
  std::size_t fewest = 0;  // samples of the process with the fewest

  // Returns a lower bound: the lower end of the interval, or the least ratio without an interval.
  double at_least() const { return low ? *low : least.value_or(0); }
};
Gain gain_of(const ProcessSamples& slow, const ProcessSamples& fast);
// Returns true if the lower bound exceeds the smallest effect.
bool is_faster(const Gain&);

struct Selection {
  std::size_t best = 0;  // candidate with the least median among those with enough samples
  // Candidates that are neither significantly nor clearly slower than the best, which is included, in the
  // order of the space.
  std::vector<std::size_t> ties;
  std::size_t winner = 0;    // candidate to use
  std::string rule;          // reason for this winner among the ties
  std::optional<Gain> gain;  // the default's time over the winner's; empty if the default has no time
};

// Returns, per candidate, true if it is significantly slower than `best` by more than the smallest effect.
std::vector<bool> surely_slower(const std::vector<Evaluation>&, std::size_t best);

// Returns the selection, or nothing if no candidate has a time. `traits` has one element per candidate or
// none.
std::optional<Selection> choose(const SearchSpace&, const std::vector<Evaluation>&,
                                const std::vector<Traits>& traits = {});

}  // namespace cfdmark::tuning
