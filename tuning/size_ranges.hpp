// Joins neighbouring grid sizes into ranges with one answer each, while one candidate is within tolerance of
// the best at all sizes of a range. Regret is the time of an answer over the best time at that size. The
// result depends only on a table of times.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/core/cache_regime.hpp"
#include "kernels/core/statistics.hpp"

namespace cfdmark::tuning {

// Times at one size. All sizes have the same candidates, and at least one of them has a time.
struct SizeTimes {
  double cells = 0;
  double filled = 0;                // the default's working set over the last-level cache; 0: unknown
  std::vector<double> seconds;      // seconds per step, by candidate; infinite without a time
  std::size_t fallback = 0;         // the default candidate at this size
  std::vector<bool> surely_faster;  // by candidate: significantly faster than the default
  double weight = 1;                // weight of this size in a single answer
};

struct SizeRange {
  std::size_t first = 0, last = 0;  // first and last size, both included
  std::size_t winner = 0;
  double regret = 1;                       // worst ratio of the winner's time to the best one's
  double mean_regret = 1;                  // weighted geometric mean of these ratios
  double least_cells = 0, most_cells = 0;  // limits of validity
  std::string rule;                        // reason for this winner
};

// Largest regret at any size of a range for its answer. A smaller lead at one size seldom persists between
// sizes (docs/decisions).
inline constexpr double near_enough = 1.03;
// Ratio of cells above which two sizes say nothing about the sizes between them.
inline constexpr double widest_gap = 16;
// Speedup over the default at one size that makes up for a loss next to the range.
inline constexpr double worth_a_loss = 1.05;
// Factor by which an answer extends below the smallest and above the largest size.
inline constexpr double size_margin = 1.25;
// Ratio of medians that counts as equal: half the difference between two processes of one program.
inline constexpr double as_good = 1 + smallest_effect / 2;

// Returns the fewest ranges that cover the sizes; among those the ranges with the least worst regret. Two
// neighbours may share a range if their working sets are in the same cache regime, their cells differ by at
// most `widest_gap`, and one candidate suits both. Such a candidate is within `near_enough` of the best at
// each size, nowhere slower than the default, and the default at all sizes or significantly faster at one.
// The candidate with the least worst regret wins. Among equals the default wins, then the best at the sizes
// next to the range, then the first.
//
// A candidate does not qualify if it gains less than `worth_a_loss` over the default at all sizes of a range,
// and at an end of it less than it loses at the next size. It would be the slower one half way to that size.
//
// The boundary between two ranges of one regime is the geometric mean of their sizes. Between regimes it is
// where the working set, taken as proportional to the cells, passes from one regime to the next.
std::vector<SizeRange> choose_ranges(const std::vector<SizeTimes>&);

// Returns one range over all sizes, even across cache regimes: the candidate with times at all sizes and the
// least weighted geometric mean of its regrets. If none is better than the defaults, returns one range for
// each run of sizes with the same default.
std::vector<SizeRange> choose_one(const std::vector<SizeTimes>&);

// Returns true if two neighbouring sizes may share an answer.
bool may_share(const SizeTimes& smaller, const SizeTimes& larger);

// Returns the candidates worth confirming, sorted, from unconfirmed times: for each run of sizes that may
// share an answer the one with the least worst regret, and with `one_answer` also the one with the least
// mean.
std::vector<std::size_t> finalists(const std::vector<SizeTimes>&, bool one_answer);

}  // namespace cfdmark::tuning
