#include "bench/tune/confirmation_time.hpp"

#include <algorithm>

#include "bench/tune/budget_claims.hpp"
#include "bench/tune/runner.hpp"

namespace cfdmark::tuning {
namespace {

// Samples per candidate in a process if time is short. Six are the fewest for a 95 % interval of the median.
constexpr int fewest_samples = 7;

// A further process does not verify.
double setup_again(const Json& record) {
  const Overhead overhead = record_from_json(record).result.overhead.value_or(Overhead());
  return overhead.prepare + overhead.warm_up.value_or(0);
}

}  // namespace

double ConfirmationTime::least_of(const Finalists& f) const {
  return setup_of(f) + std::min(fewest_samples, samples_) * sample_of(f);
}
double ConfirmationTime::most_of(const Finalists& f) const { return setup_of(f) + samples_ * sample_of(f); }

int ConfirmationTime::samples_within(const Finalists& f, double seconds) const {
  const double samples = (seconds - setup_of(f)) / std::max(sample_of(f), 1e-9);
  return int(std::clamp(samples, double(std::min(fewest_samples, samples_)), double(samples_)));
}

std::vector<Finalists> ConfirmationTime::in_time(const std::vector<Finalists>& wanted, double seconds) const {
  if (wanted.empty()) return {};
  std::vector<Finalists> tried;
  std::vector<double> needs, more;
  for (const Finalists& f : wanted) {
    tried.push_back(that_were_tried(f));
    const bool is_enough = tried.back().candidates.size() > 1;
    needs.push_back(is_enough ? confirming_processes * least_of(tried.back()) : 0);
    more.push_back(confirming_processes * least_of(f) - needs.back());
  }
  std::vector<std::size_t> first = that_fit(needs, seconds);
  if (first.empty()) first = {std::size_t(std::min_element(needs.begin(), needs.end()) - needs.begin())};
  for (const std::size_t n : first) seconds -= needs[n];
  std::vector<double> more_of_first;
  for (const std::size_t n : first) more_of_first.push_back(more[n]);
  for (const std::size_t k : that_fit(more_of_first, seconds)) tried[first[k]] = wanted[first[k]];
  std::vector<Finalists> fit;
  for (const std::size_t n : first)
    if (tried[n].candidates.size() > 1) fit.push_back(std::move(tried[n]));
  if (fit.empty()) fit = {wanted[first.front()]};
  return fit;
}

// Candidates without a record are assumed to take the longest set-up seen on that grid.
double ConfirmationTime::setup_of(const Finalists& f) const {
  const std::vector<Json>& records = answers_[f.answer].records;
  double seconds = 0;
  bool all_tried = true;
  for (const std::size_t c : f.candidates)
    if (records[c].is_null())
      all_tried = false;
    else
      seconds += setup_again(records[c]);
  double longest = 0;
  for (const Json& record : records)
    if (!all_tried && !record.is_null())
      longest = std::max(longest, setup_seconds(record_from_json(record).result));
  return seconds + longest;
}

double ConfirmationTime::sample_of(const Finalists& f) const {
  double seconds = 0;
  for (const std::size_t c : f.candidates)
    if (const Evaluation& e = answers_[f.answer].evaluations[c]; !e.samples.empty())
      seconds += e.measuring_seconds / double(e.samples.size());
  return seconds;
}

Finalists ConfirmationTime::that_were_tried(const Finalists& f) const {
  Finalists tried{f.answer, {}};
  for (const std::size_t c : f.candidates)
    if (!answers_[f.answer].records[c].is_null()) tried.candidates.push_back(c);
  return tried;
}

}  // namespace cfdmark::tuning
