#include "tuning/selection.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/core/statistics.hpp"
#include "tuning/false_discovery.hpp"
#include "tuning/rank_test.hpp"
#include "tuning/rules.hpp"

namespace cfdmark::tuning {
namespace {

std::size_t most_samples(const std::vector<Evaluation>& evaluations) {
  std::size_t most = 0;
  for (const Evaluation& e : evaluations) most = std::max(most, e.samples.size());
  return most;
}

// Returns the candidate with the least median among those with at least half the maximum number of samples.
// The median of a few samples is too often low by luck.
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

// Returns the ties that may win: at least half of the best one's samples, and a median within the smallest
// effect. A candidate that ties only for lack of samples does not win.
std::vector<std::size_t> contenders(const std::vector<Evaluation>& evaluations,
                                    const std::vector<std::size_t>& ties, std::size_t best) {
  const std::size_t enough = (evaluations[best].samples.size() + 1) / 2;
  const double limit = (1 + smallest_effect) * median(evaluations[best].samples);
  std::vector<std::size_t> found;
  for (const std::size_t n : ties)
    if (evaluations[n].samples.size() >= enough && median(evaluations[n].samples) <= limit)
      found.push_back(n);
  return found;
}

// Keeps the candidates with the least `key`. Returns true if that removed any.
template <class Key>
bool keep_least(std::vector<std::size_t>& candidates, const Key& key) {
  auto least = key(candidates.front());
  for (const std::size_t n : candidates) least = std::min(least, key(n));
  return std::erase_if(candidates, [&](std::size_t n) { return key(n) > least; }) > 0;
}

void break_ties(Selection& choice, std::size_t fallback, std::vector<std::size_t> left,
                const std::vector<Traits>& traits) {
  choice.winner = left.front();
  if (choice.ties.size() == 1) {
    choice.rule = rules::only_fastest;
  } else if (std::find(choice.ties.begin(), choice.ties.end(), fallback) != choice.ties.end()) {
    choice.winner = fallback;
    choice.rule = rules::none_faster;
  } else if (left.size() == 1) {
    choice.rule = rules::fastest;
  } else {
    choice.rule = rules::first;
    if (traits.empty()) return;
    const auto registers = [&](std::size_t n) { return traits.at(n).registers; };
    const auto elsewhere = [&](std::size_t n) { return traits.at(n).worst_elsewhere; };
    if (keep_least(left, registers)) choice.rule = rules::fewest_registers;
    if (left.size() > 1 && keep_least(left, elsewhere)) choice.rule = rules::most_robust;
    choice.winner = left.front();
  }
}

std::size_t fewest_in_a_process(const ProcessSamples& processes) {
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const auto& samples : processes) fewest = std::min(fewest, samples.size());
  return fewest;
}

std::size_t samples_in_all(const ProcessSamples& processes) {
  std::size_t count = 0;
  for (const auto& samples : processes) count += samples.size();
  return count;
}

// Returns true if both have at least three samples and each sample of `e` exceeds `clear_win_factor` times
// each of `than`. A short budget leaves so few samples on a large grid that no rank test among several
// candidates is significant.
bool is_plainly_slower(const Evaluation& e, const Evaluation& than) {
  constexpr std::size_t fewest = 3;
  if (std::min(e.samples.size(), than.samples.size()) < fewest) return false;
  return *std::min_element(e.samples.begin(), e.samples.end()) >
         clear_win_factor * *std::max_element(than.samples.begin(), than.samples.end());
}

}  // namespace

Gain gain_of(const ProcessSamples& slow, const ProcessSamples& fast) {
  const MedianInterval s = median_interval(slow), f = median_interval(fast);
  Gain gain;
  gain.value = s.median / f.median;
  gain.fewest = std::min(fewest_in_a_process(slow), fewest_in_a_process(fast));
  if (gain.fewest >= 6) {
    gain.low = gain.value * std::exp(-std::hypot(std::log(s.median / s.low), std::log(f.high / f.median)));
    gain.high = gain.value * std::exp(std::hypot(std::log(s.high / s.median), std::log(f.median / f.low)));
  } else if (std::min(samples_in_all(slow), samples_in_all(fast)) > 1) {
    gain.least = s.low / f.high;
  }
  return gain;
}

bool is_faster(const Gain& gain) { return gain.at_least() > 1 + smallest_effect; }

std::vector<bool> surely_slower(const std::vector<Evaluation>& evaluations, std::size_t best) {
  std::vector<double> probabilities;
  for (const Evaluation& e : evaluations)
    if (!e.samples.empty())
      probabilities.push_back(
          probability_no_longer(e.samples, evaluations[best].samples, 1 + smallest_effect));
  const std::vector<double> adjusted = adjusted_p_values(probabilities, Dependence::positive);
  std::vector<bool> slower(evaluations.size(), false);
  std::size_t k = 0;
  for (std::size_t n = 0; n < evaluations.size(); ++n)
    if (!evaluations[n].samples.empty()) slower[n] = adjusted[k++] <= false_discoveries;
  return slower;
}

std::optional<Selection> choose(const SearchSpace& space, const std::vector<Evaluation>& evaluations,
                                const std::vector<Traits>& traits) {
  Selection choice;
  choice.best = best_of(evaluations);
  if (choice.best == evaluations.size()) return std::nullopt;
  const std::vector<bool> slower = surely_slower(evaluations, choice.best);
  for (std::size_t n = 0; n < evaluations.size(); ++n)
    if (!evaluations[n].samples.empty() && !slower[n] &&
        !is_plainly_slower(evaluations[n], evaluations[choice.best]))
      choice.ties.push_back(n);
  break_ties(choice, space.fallback(), contenders(evaluations, choice.ties, choice.best), traits);
  const std::vector<double>& fallback = evaluations[space.fallback()].samples;
  if (!fallback.empty()) choice.gain = gain_of({fallback}, {evaluations[choice.winner].samples});
  return choice;
}

}  // namespace cfdmark::tuning
