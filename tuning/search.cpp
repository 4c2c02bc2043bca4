#include "tuning/search.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/core/statistics.hpp"

namespace cfdmark::tuning {

Search::Search(const SearchSpace& space, Evaluator objective, const SearchOptions& options)
    : space_(space),
      objective_(std::move(objective)),
      options_(options),
      random_(options.seed),
      evaluations_(space.size()),
      medians_(space.size(), 0) {}

bool Search::sample(const std::vector<std::size_t>& candidates, int samples) {
  std::vector<std::size_t> group;
  for (std::size_t n = 0; n < candidates.size() && !over_; ++n) {
    const Evaluation& e = evaluations_.at(candidates[n]);
    if (e.ok() || e.status == TrialStatus::not_tried) group.push_back(candidates[n]);
    if (group.size() == side_by_side || n + 1 == candidates.size()) {
      if (!group.empty()) sample_group(group, samples);
      group.clear();
    }
  }
  return !over_;
}

bool Search::sample_up_to(const std::vector<std::size_t>& candidates, int total) {
  // Candidates that lack the same number of samples share a request, so that they stay interleaved.
  std::vector<std::size_t> left = candidates;
  while (!left.empty() && !over_) {
    const auto lacking = [&](std::size_t c) { return total - int(evaluations_[c].samples.size()); };
    const int missing = lacking(left.front());
    std::vector<std::size_t> alike;
    for (const std::size_t c : left)
      if (lacking(c) == missing) alike.push_back(c);
    std::erase_if(left, [&](std::size_t c) { return lacking(c) == missing; });
    if (missing > 0) sample(alike, missing);
  }
  return !over_;
}

bool Search::sample_group(const std::vector<std::size_t>& group, int samples) {
  std::vector<Evaluation> trials = objective_(group, samples, options_.budget - spent());
  for (std::size_t n = 0; n < group.size(); ++n) {
    note(group[n], std::move(trials.at(n)));
    add_trace_point();
  }
  over_ = over_ || spent() >= options_.budget;
  return !over_;
}

void Search::note(std::size_t candidate, Evaluation&& trial) {
  setup_ += trial.setup_seconds;
  measuring_ += trial.measuring_seconds;
  if (trial.status == TrialStatus::not_tried) {
    over_ = true;
    return;
  }
  Evaluation& e = evaluations_[candidate];
  e.status = trial.status;
  e.reason = std::move(trial.reason);
  e.setup_seconds += trial.setup_seconds;
  e.measuring_seconds += trial.measuring_seconds;
  samples_ += trial.samples.size();
  if (e.ok())
    e.samples.insert(e.samples.end(), trial.samples.begin(), trial.samples.end());
  else
    e.samples.clear();  // a candidate that fails later has no time
  if (!e.samples.empty()) medians_[candidate] = median(e.samples);
}

void Search::add_trace_point() {
  TracePoint point{samples_, 0, setup_, measuring_, evaluations_.size()};
  for (std::size_t n = 0; n < evaluations_.size(); ++n) {
    point.candidates += evaluations_[n].status != TrialStatus::not_tried;
    if (evaluations_[n].samples.empty()) continue;
    if (point.best == evaluations_.size() || medians_[n] < medians_[point.best]) point.best = n;
  }
  if (point.best < evaluations_.size()) trace_.push_back(point);
}

std::vector<std::size_t> Search::ranked(std::vector<std::size_t> candidates) const {
  std::erase_if(candidates, [&](std::size_t c) { return evaluations_[c].samples.empty(); });
  std::sort(candidates.begin(), candidates.end(), [&](std::size_t a, std::size_t b) {
    return medians_[a] != medians_[b] ? medians_[a] < medians_[b] : a < b;
  });
  return candidates;
}

std::vector<std::size_t> Search::all() const {
  std::vector<std::size_t> every(space_.size());
  std::iota(every.begin(), every.end(), std::size_t(0));
  return every;
}

}  // namespace cfdmark::tuning
