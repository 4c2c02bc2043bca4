#include "tuning/verdict.hpp"

#include <algorithm>

#include "kernels/core/statistics.hpp"
#include "tuning/rank_test.hpp"

namespace cfdmark {
namespace {

std::size_t most_samples(const std::vector<Evaluation>& evaluations) {
  std::size_t most = 0;
  for (const Evaluation& e : evaluations) most = std::max(most, e.samples.size());
  return most;
}

// The candidate with the least median among those that have at least half of the most samples: the median of
// a few is too easily flattered.
std::size_t best_of(const std::vector<Evaluation>& evaluations) {
  const std::size_t enough = (most_samples(evaluations) + 1) / 2;
  std::size_t best = evaluations.size();
  double least = 0;
  for (std::size_t n = 0; n < evaluations.size(); ++n) {
    if (evaluations[n].samples.empty() || evaluations[n].samples.size() < enough) continue;
    const double m = median(evaluations[n].samples);
    if (best == evaluations.size() || m < least) best = n, least = m;
  }
  return best;
}

// Of the ties, those that may win: settled, and equal by their medians too. A tie out of ignorance does not
// win.
std::vector<std::size_t> contenders(const std::vector<Evaluation>& evaluations,
                                    const std::vector<std::size_t>& ties, std::size_t best) {
  const std::size_t enough = (evaluations[best].samples.size() + 1) / 2;
  const double limit = (1 + equal_within) * median(evaluations[best].samples);
  std::vector<std::size_t> found;
  for (const std::size_t n : ties)
    if (evaluations[n].samples.size() >= enough && median(evaluations[n].samples) <= limit)
      found.push_back(n);
  return found;
}

// Keeps those with the least `key`; says whether that told any apart.
template <class Key>
bool keep_least(std::vector<std::size_t>& candidates, const Key& key) {
  auto least = key(candidates.front());
  for (const std::size_t n : candidates) least = std::min(least, key(n));
  return std::erase_if(candidates, [&](std::size_t n) { return key(n) > least; }) > 0;
}

void choose(Verdict& verdict, std::size_t fallback, std::vector<std::size_t> left,
            const std::vector<Traits>& traits) {
  verdict.winner = left.front();
  if (verdict.ties.size() == 1) {
    verdict.rule = "no other is as fast";
  } else if (std::find(verdict.ties.begin(), verdict.ties.end(), fallback) != verdict.ties.end()) {
    verdict.winner = fallback;
    verdict.rule = "nothing is surely faster than the default";
  } else if (left.size() == 1) {
    verdict.rule = "the fastest";
  } else {
    verdict.rule = "the first of the fastest in the order of the space";
    if (traits.empty()) return;
    const auto registers = [&](std::size_t n) { return traits.at(n).registers; };
    const auto elsewhere = [&](std::size_t n) { return traits.at(n).worst_elsewhere; };
    if (keep_least(left, registers)) verdict.rule = "the fewest registers among the fastest";
    if (left.size() > 1 && keep_least(left, elsewhere))
      verdict.rule = "the most robust of the fastest on the other grids";
    verdict.winner = left.front();
  }
}

}  // namespace

Ratio median_ratio(const std::vector<double>& above, const std::vector<double>& below) {
  const MedianInterval a = median_interval(above), b = median_interval(below);
  Ratio ratio{a.median / b.median, {}, {}};
  if (std::min(above.size(), below.size()) > 1) ratio.low = a.low / b.high, ratio.high = a.high / b.low;
  return ratio;
}

std::vector<bool> surely_slower(const std::vector<Evaluation>& evaluations, std::size_t best) {
  std::vector<double> probabilities;
  for (const Evaluation& e : evaluations)
    if (!e.samples.empty())
      probabilities.push_back(probability_no_longer(e.samples, evaluations[best].samples, 1 + equal_within));
  const std::vector<bool> worse = rejected(probabilities, false_discoveries);
  std::vector<bool> slower(evaluations.size(), false);
  std::size_t k = 0;
  for (std::size_t n = 0; n < evaluations.size(); ++n)
    if (!evaluations[n].samples.empty()) slower[n] = worse[k++];
  return slower;
}

std::optional<Verdict> judge(const SearchSpace& space, const std::vector<Evaluation>& evaluations,
                             const std::vector<Traits>& traits) {
  Verdict verdict;
  verdict.best = best_of(evaluations);
  if (verdict.best == evaluations.size()) return std::nullopt;
  const std::vector<bool> slower = surely_slower(evaluations, verdict.best);
  for (std::size_t n = 0; n < evaluations.size(); ++n)
    if (!evaluations[n].samples.empty() && !slower[n]) verdict.ties.push_back(n);
  choose(verdict, space.fallback(), contenders(evaluations, verdict.ties, verdict.best), traits);
  const std::vector<double>& fallback = evaluations[space.fallback()].samples;
  verdict.has_gain = !fallback.empty();
  if (verdict.has_gain) verdict.gain = median_ratio(fallback, evaluations[verdict.winner].samples);
  return verdict;
}

}  // namespace cfdmark
