// What the evaluations of a search say: the winner, what is as good, and what it gains over the default.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "kernels/core/statistics.hpp"
#include "tuning/search.hpp"

namespace cfdmark::tuning {

// The share of those called worse that may in truth be as good.
inline constexpr double false_discoveries = 0.05;

// So many times as fast is plain to see: a search flatters its winner, but by some per cent.
inline constexpr double plain_to_see = 1.5;

// What breaks a tie, beside the times.
struct Traits {
  int registers = 0;  // of the widest device function, a thread; 0: unknown, or not on a device
  // The worst median on the other grids tried, over the best there. Infinite: it was not tried there.
  double worst_elsewhere = std::numeric_limits<double>::infinity();
};

// How many times as fast: a ratio of medians with a 95 % interval, by the same rule as the report's
// (scripts/cfdmark/stats/statistics.py; tests/examples/median_ratio.json holds both to it). The logarithms
// of the two medians have their intervals of order statistics, and the distances to their ends add as
// independent errors do (G. Zou and A. Donner, Construction of confidence limits about effect measures: a
// general approach, Statistics in Medicine 27 (2008) 1693). Below six samples a process no interval of the
// median reaches 95 %, and there is none.
struct Gain {
  double value = 1;
  std::optional<double> low, high;  // the interval
  std::optional<double> least;      // of the ratios of any two samples; none from a single one
  std::size_t fewest = 0;           // samples a process

  // The gain that the samples bear out: the interval's lower end, or without one the least ratio.
  double at_least() const { return low ? *low : least.value_or(0); }
};
Gain gain_of(const ProcessSamples& slow, const ProcessSamples& fast);
// Surely, and by more than the smallest effect.
bool is_faster(const Gain&);

struct Selection {
  std::size_t best = 0;  // the least median among those with the most samples
  // Those that are neither surely nor plainly slower than the best, in the order of the space; with it.
  std::vector<std::size_t> ties;
  std::size_t winner = 0;  // the one to use
  std::string rule;        // why it and not another of the ties
  std::optional<Gain>
      gain;  // the default's time over the winner's; none if the default could not be measured
};

// Which candidates are surely slower than the best of them, by the smallest effect.
std::vector<bool> surely_slower(const std::vector<Evaluation>&, std::size_t best);

// `traits` of each candidate, or none at all. Returns nothing if no candidate has a time.
std::optional<Selection> choose(const SearchSpace&, const std::vector<Evaluation>&,
                                const std::vector<Traits>& traits = {});

}  // namespace cfdmark::tuning
