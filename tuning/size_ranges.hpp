// Which candidate to use at which size: neighbouring sizes share an answer as long as one candidate is near
// enough to the best at all of them. A pure function of a table of times.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/core/cache_regime.hpp"
#include "kernels/core/statistics.hpp"

namespace cfdmark::tuning {

// What is known at one size. Every size has the same candidates, and a time of at least one.
struct SizeTimes {
  double cells = 0;
  double filled = 0;                // the default's working set over the last-level cache; 0: not known
  std::vector<double> seconds;      // a step, of each candidate; infinite where it has no time
  std::size_t fallback = 0;         // the candidate that runs untuned here
  std::vector<bool> surely_faster;  // than that one, of each candidate
  double weight = 1;                // of this size in a single answer
};

struct SizeRange {
  std::size_t first = 0, last = 0;  // the sizes that it rests on
  std::size_t winner = 0;
  double regret = 1;                       // the winner's time over the best one's; the worst of the sizes
  double mean_regret = 1;                  // the geometric mean of the same, by the sizes' weights
  double least_cells = 0, most_cells = 0;  // where it applies
  std::string rule;                        // why this winner
};

// Of the time of the best candidate: one that takes no more at any size of a range may be its answer. What is
// best at one size alone by less is seldom so between sizes (results/lab_book.md).
inline constexpr double near_enough = 1.03;
// Sizes this many times as many cells apart say nothing of what lies between them.
inline constexpr double widest_gap = 16;
// What is so many times as fast as the default at a size of a range may be slower than that beside the range.
inline constexpr double worth_a_loss = 1.05;
// Beyond the least and the greatest size an answer holds for so many times as few or as many cells.
inline constexpr double size_margin = 1.25;
// Medians that are nearer than this are as good: half of what two processes of one program may differ by.
inline constexpr double as_good = 1 + smallest_effect / 2;

// The fewest ranges that the sizes, by their number of cells, can be joined into; of those with as few the
// ones of least worst regret. Two neighbours may be joined where their working sets are in the same regime
// of the cache and no more than `widest_gap` apart, and where a candidate suits both: it is near enough to
// the best at each, nowhere slower than the default there, and either the default at all of them or surely
// faster at one. Of those candidates the one of least worst regret wins; of as good ones the default, then
// the one that does best on the sizes beside the range, then the first.
//
// No answer is what gains less than `worth_a_loss` over the default at all sizes of a range, and at an end of
// the range less than it loses at the size beside: half way to that size it would be the slower one.
//
// Between two ranges of one regime the boundary is the geometric mean of their sizes; else where the working
// set, in proportion to the cells, passes from one regime to the other.
std::vector<SizeRange> choose_ranges(const std::vector<SizeTimes>&);

// One range over all sizes, whatever lies between them: the candidate with a time at all of them and the
// least weighted geometric mean of its regrets. Where no candidate is better so than the default of each
// size is, a range for each run of sizes that have the same default.
std::vector<SizeRange> choose_one(const std::vector<SizeTimes>&);

// Whether two neighbours may share an answer.
bool may_share(const SizeTimes& smaller, const SizeTimes& larger);

// The candidates that the choice may fall on, judged by times that need not be confirmed: that of least worst
// regret for each run of sizes that may share an answer, or for all of them alone. Each once, in order.
std::vector<std::size_t> finalists(const std::vector<SizeTimes>&, bool one_answer);

}  // namespace cfdmark::tuning
