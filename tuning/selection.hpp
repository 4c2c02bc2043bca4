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

// Limit of the false discovery rate: the expected share, among the candidates called slower, of those that
// are not slower by more than the smallest effect.
inline constexpr double false_discoveries = 0.05;

// A candidate is also called slower, without a rank test, if it and the best have at least three samples and
// all of its samples exceed all those of the best by more than this factor. The factor is far from 1, because
// the best of many candidates looks a few per cent faster than it is.
inline constexpr double clear_win_factor = 1.5;

// Properties of a candidate that decide between equally fast ones.
struct Traits {
  // Registers per thread of the device function that has most. 0 if no device function is recorded, as on a
  // host or for a library's routine.
  int registers = 0;
  // Largest ratio of its time to that of the fastest candidate, over the other grids of the tune. At least 1;
  // infinite if it has no time on one of them.
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
  // Without an interval: the low end of the slow times over the high end of the fast ones. In a process with
  // fewer than six samples these ends are its extreme samples. Empty if a side has one sample only.
  std::optional<double> least;
  std::size_t fewest = 0;  // samples of the process with the fewest

  // Returns a lower bound: the lower end of the interval, without one `least`, without both 0.
  double at_least() const { return low ? *low : least.value_or(0); }
};
Gain gain_of(const ProcessSamples& slow, const ProcessSamples& fast);
// Returns true if the lower bound exceeds the smallest effect.
bool is_faster(const Gain&);

struct Selection {
  // Candidate with the least median, among those with at least half as many samples as the one with most.
  std::size_t best = 0;
  // Candidates that are neither significantly nor clearly (clear_win_factor) slower than the best, in the
  // order of the space. They include the best.
  std::vector<std::size_t> ties;
  // Candidate to use: the default if it is a tie, else the tie that `traits` prefer among those with enough
  // samples and a median near the best.
  std::size_t winner = 0;
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
