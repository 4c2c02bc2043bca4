#include "tuning/size_ranges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>

#include "tuning/rules.hpp"

namespace cfdmark::tuning {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// Sizes first .. last, both included.
struct Run {
  std::size_t first, last;
};

// Regrets of every candidate at every size.
class Regrets {
 public:
  explicit Regrets(const std::vector<SizeTimes>& sizes) : sizes_(sizes) {
    for (const SizeTimes& s : sizes) {
      if (s.seconds.size() != sizes.front().seconds.size() || s.surely_faster.size() != s.seconds.size() ||
          s.fallback >= s.seconds.size())
        throw std::invalid_argument("a table of times has different candidates at some size, or no default");
      best_.push_back(*std::min_element(s.seconds.begin(), s.seconds.end()));
      if (!std::isfinite(best_.back()))
        throw std::invalid_argument("a table of times has a size without any time");
    }
  }

  std::size_t candidates() const { return sizes_.empty() ? 0 : sizes_.front().seconds.size(); }
  double at(std::size_t size, std::size_t candidate) const {
    return sizes_[size].seconds[candidate] / best_[size];
  }
  double worst(Run run, std::size_t candidate) const {
    double worst = 1;
    for (std::size_t s = run.first; s <= run.last; ++s) worst = std::max(worst, at(s, candidate));
    return worst;
  }
  // `candidate_at(s)` names the candidate whose regret counts at size s.
  template <class CandidateAt>
  double mean(Run run, const CandidateAt& candidate_at) const {
    double sum = 0, weight = 0;
    for (std::size_t s = run.first; s <= run.last; ++s) {
      sum += sizes_[s].weight * std::log(at(s, candidate_at(s)));
      weight += sizes_[s].weight;
    }
    return std::exp(sum / weight);
  }
  double mean(Run run, std::size_t candidate) const {
    return mean(run, [&](std::size_t) { return candidate; });
  }

 private:
  const std::vector<SizeTimes>& sizes_;
  std::vector<double> best_;  // least seconds, by size
};

class Ranges {
 public:
  explicit Ranges(const std::vector<SizeTimes>& sizes) : sizes_(sizes), regrets_(sizes) {}

  // Finds the fewest ranges by dynamic programming over the start of the last range.
  std::vector<SizeRange> fewest() const {
    struct Best {
      std::size_t count = 0, begin = 0;
      double worst = 1;
    };
    std::vector<Best> best(sizes_.size() + 1);  // for the first n sizes
    for (std::size_t n = 1; n <= sizes_.size(); ++n) {
      best[n].count = std::numeric_limits<std::size_t>::max();
      for (std::size_t begin = n; begin-- > 0 && joined({begin, n - 1});) {
        const auto winner = answer({begin, n - 1});
        if (!winner) continue;
        const Best found{best[begin].count + 1, begin,
                         std::max(best[begin].worst, regrets_.worst({begin, n - 1}, *winner))};
        if (std::pair(found.count, found.worst) < std::pair(best[n].count, best[n].worst)) best[n] = found;
      }
    }
    std::vector<SizeRange> ranges;
    for (std::size_t end = sizes_.size(); end > 0; end = best[end].begin) {
      const Run run{best[end].begin, end - 1};
      ranges.push_back(range(run, *answer(run)));
    }
    std::reverse(ranges.begin(), ranges.end());
    set_limits(ranges);
    return ranges;
  }

  std::vector<SizeRange> single() const {
    std::vector<SizeRange> ranges;
    const Run all{0, sizes_.size() - 1};
    const std::size_t winner = least_mean(all);
    const double untuned = regrets_.mean(all, [&](std::size_t s) { return usual(s); });
    if (regrets_.mean(all, winner) * as_good < untuned && is_sure(all, winner)) {
      ranges.push_back(range(all, winner));
      ranges.back().rule = rules::least_mean_regret;
    } else {
      for (std::size_t s = 0; s < sizes_.size(); ++s)
        if (!ranges.empty() && ranges.back().winner == usual(s))
          ranges.back() = range({ranges.back().first, s}, usual(s));
        else
          ranges.push_back(range({s, s}, usual(s)));
      for (SizeRange& r : ranges) r.rule = rules::no_better_mean;
    }
    set_limits(ranges);
    return ranges;
  }

  std::vector<std::size_t> finalists(bool one_answer) const {
    std::set<std::size_t> found;
    for (std::size_t first = 0; first < sizes_.size(); ++first)
      for (std::size_t last = first; last < sizes_.size() && joined({first, last}); ++last)
        found.insert(least([&](std::size_t c) { return regrets_.worst({first, last}, c); }));
    if (one_answer) found.insert(least_mean({0, sizes_.size() - 1}));
    return {found.begin(), found.end()};
  }

 private:
  bool joined(Run run) const {
    for (std::size_t s = run.first; s < run.last; ++s)
      if (!may_share(sizes_[s], sizes_[s + 1])) return false;
    return true;
  }

  // Returns the default of a size, or the fastest candidate if the default has no time.
  std::size_t usual(std::size_t size) const {
    const std::size_t fallback = sizes_[size].fallback;
    return std::isfinite(regrets_.at(size, fallback))
               ? fallback
               : least([&](std::size_t c) { return regrets_.at(size, c); });
  }

  // Returns the first candidate with the least `key`.
  template <class Key>
  std::size_t least(const Key& key) const {
    std::size_t best = 0;
    for (std::size_t c = 1; c < regrets_.candidates(); ++c)
      if (key(c) < key(best)) best = c;
    return best;
  }
  std::size_t least_mean(Run run) const {
    return least([&](std::size_t c) { return regrets_.mean(run, c); });
  }

  bool is_default(Run run, std::size_t candidate) const {
    for (std::size_t s = run.first; s <= run.last; ++s)
      if (sizes_[s].fallback != candidate) return false;
    return true;
  }
  // Returns true for the default at all sizes, or for a candidate significantly faster than it at one size.
  bool is_sure(Run run, std::size_t candidate) const {
    for (std::size_t s = run.first; s <= run.last; ++s)
      if (sizes_[s].surely_faster[candidate]) return true;
    return is_default(run, candidate);
  }
  bool is_slower_than_default(Run run, std::size_t candidate) const {
    for (std::size_t s = run.first; s <= run.last; ++s)
      if (sizes_[s].seconds[candidate] > as_good * sizes_[s].seconds[sizes_[s].fallback]) return true;
    return false;
  }
  // Returns the speedup over the default; 1 without a time.
  double gain(std::size_t size, std::size_t candidate) const {
    const double seconds = sizes_[size].seconds[candidate];
    return std::isfinite(seconds) ? sizes_[size].seconds[sizes_[size].fallback] / seconds : 1;
  }
  bool are_near(std::size_t size, std::size_t next) const {
    return sizes_[next].cells <= widest_gap * sizes_[size].cells;
  }
  // Returns true if the gain is small at all sizes, and at an end of the range smaller than the loss at the
  // next size. The range extends half way to that size.
  bool is_risky(Run run, std::size_t candidate) const {
    if (is_default(run, candidate)) return false;
    for (std::size_t s = run.first; s <= run.last; ++s)
      if (gain(s, candidate) >= worth_a_loss) return false;
    const auto loses_more = [&](std::size_t beside, std::size_t end) {
      return gain(end, candidate) * gain(beside, candidate) < 1;
    };
    return (run.first > 0 && are_near(run.first - 1, run.first) && loses_more(run.first - 1, run.first)) ||
           (run.last + 1 < sizes_.size() && are_near(run.last, run.last + 1) &&
            loses_more(run.last + 1, run.last));
  }
  bool suits(Run run, std::size_t candidate) const {
    const double regret = regrets_.worst(run, candidate);
    if (!std::isfinite(regret) || !is_sure(run, candidate) || is_risky(run, candidate)) return false;
    return run.first == run.last || (regret <= near_enough && !is_slower_than_default(run, candidate));
  }

  // Returns nothing if no candidate suits all sizes. A single size always has an answer.
  std::optional<std::size_t> answer(Run run) const {
    std::vector<std::size_t> suitable;
    for (std::size_t c = 0; c < regrets_.candidates(); ++c)
      if (suits(run, c)) suitable.push_back(c);
    if (suitable.empty() && run.first == run.last) return usual(run.first);
    if (suitable.empty()) return std::nullopt;
    double least_regret = never;
    for (const std::size_t c : suitable) least_regret = std::min(least_regret, regrets_.worst(run, c));
    std::erase_if(suitable, [&](std::size_t c) { return regrets_.worst(run, c) > as_good * least_regret; });
    for (const std::size_t c : suitable)
      if (is_default(run, c)) return c;
    const Run wider = with_neighbours(run);
    return *std::min_element(suitable.begin(), suitable.end(), [&](std::size_t a, std::size_t b) {
      return regrets_.worst(wider, a) < regrets_.worst(wider, b);
    });
  }

  Run with_neighbours(Run run) const {
    if (run.first > 0 && joined({run.first - 1, run.first})) --run.first;
    if (run.last + 1 < sizes_.size() && joined({run.last, run.last + 1})) ++run.last;
    return run;
  }

  SizeRange range(Run run, std::size_t winner) const {
    SizeRange r{run.first, run.last, winner, regrets_.worst(run, winner), regrets_.mean(run, winner),
                0,         0,        ""};
    r.rule = rule(run, winner);
    return r;
  }

  const char* rule(Run run, std::size_t winner) const {
    if (!is_default(run, winner)) return run.first == run.last ? rules::fastest : rules::least_worst_regret;
    bool any_is_sure = false, all_are_risky = true;
    for (std::size_t c = 0; c < regrets_.candidates(); ++c)
      if (c != winner && is_sure(run, c)) any_is_sure = true, all_are_risky &= is_risky(run, c);
    return !any_is_sure    ? rules::none_faster
           : all_are_risky ? rules::loses_next_to_range
                           : rules::default_near_best;
  }

  void set_limits(std::vector<SizeRange>& ranges) const {
    for (std::size_t n = 0; n < ranges.size(); ++n) {
      ranges[n].least_cells = n == 0 ? sizes_.front().cells / size_margin : ranges[n - 1].most_cells;
      ranges[n].most_cells = sizes_[ranges[n].last].cells * size_margin;
      if (n + 1 == ranges.size()) continue;
      const SizeTimes &below = sizes_[ranges[n].last], &above = sizes_[ranges[n + 1].first];
      if (are_near(ranges[n].last, ranges[n + 1].first)) ranges[n].most_cells = boundary(below, above);
    }
    for (std::size_t n = 1; n < ranges.size(); ++n) {
      const std::size_t first = ranges[n].first;
      if (!are_near(first - 1, first)) ranges[n].least_cells = sizes_[first].cells / size_margin;
    }
  }

  // Returns the boundary between two ranges, in cells.
  static double boundary(const SizeTimes& below, const SizeTimes& above) {
    const CacheRegime from = cache_regime(below.filled), to = cache_regime(above.filled);
    if (from >= to || from == CacheRegime::unknown) return std::sqrt(below.cells * above.cells);
    const double filled = from == CacheRegime::transition ? leaves_cache
                          : to == CacheRegime::transition ? fills_cache
                                                          : std::sqrt(fills_cache * leaves_cache);
    return std::clamp(below.cells * filled / below.filled, below.cells, above.cells);
  }

  const std::vector<SizeTimes>& sizes_;
  Regrets regrets_;
};

}  // namespace

bool may_share(const SizeTimes& smaller, const SizeTimes& larger) {
  return cache_regime(smaller.filled) == cache_regime(larger.filled) &&
         larger.cells <= widest_gap * smaller.cells;
}

std::vector<SizeRange> choose_ranges(const std::vector<SizeTimes>& sizes) { return Ranges(sizes).fewest(); }
std::vector<SizeRange> choose_one(const std::vector<SizeTimes>& sizes) {
  return sizes.empty() ? std::vector<SizeRange>() : Ranges(sizes).single();
}
std::vector<std::size_t> finalists(const std::vector<SizeTimes>& sizes, bool one_answer) {
  return sizes.empty() ? std::vector<std::size_t>() : Ranges(sizes).finalists(one_answer);
}

}  // namespace cfdmark::tuning
