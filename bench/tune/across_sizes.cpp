#include "bench/tune/across_sizes.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "bench/device_facts/machine.hpp"
#include "bench/tune/reasons.hpp"

namespace cfdmark::tuning {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

constexpr std::size_t few = 8;  // size of the first group of a race

// Returns the working set over the last-level cache from the default's record, or else from the first record
// that has both. 0: unknown.
double filled(const TuneAnswer& a) {
  const auto told = [](const Json& record) {
    const Json cache = record.is_null() ? Json() : record.value("cache", Json());
    return cache.contains("last_level_bytes")
               ? cache["working_set_bytes"].get<double>() / cache["last_level_bytes"].get<double>()
               : 0.0;
  };
  if (const double of_default = told(a.records.at(a.space.space.fallback())); of_default > 0)
    return of_default;
  for (const Json& record : a.records)
    if (const double some = told(record); some > 0) return some;
  return 0;
}

int registers(const Json& record) {
  int most = 0;
  if (!record.is_null() && record.contains("resources"))
    for (const Json& kernel : record["resources"].value("kernels", Json::array()))
      most = std::max(most, kernel.value("registers", 0));
  return most;
}

}  // namespace

AcrossSizes::AcrossSizes(const std::vector<TuneAnswer>& answers) : answers_(answers), of_(answers.size()) {
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t a = 0; a < answers.size(); ++a)
    for (std::size_t c = 0; c < answers[a].space.space.size(); ++c) {
      const Candidate& candidate = answers[a].space.space[c];
      const auto [place, is_new] = known.try_emplace(candidate_text(candidate), candidates_.size());
      if (is_new) candidates_.push_back(candidate);
      of_[a].push_back(place->second);
    }
  at_.assign(answers.size(), std::vector<std::optional<std::size_t>>(candidates_.size()));
  for (std::size_t a = 0; a < answers.size(); ++a)
    for (std::size_t c = 0; c < of_[a].size(); ++c) at_[a][of_[a][c]] = c;
}

std::size_t AcrossSizes::of(std::size_t answer, std::size_t in_its_space) const {
  return of_.at(answer).at(in_its_space);
}

std::optional<std::size_t> AcrossSizes::at(std::size_t answer, std::size_t candidate) const {
  return at_.at(answer).at(candidate);
}

std::size_t AcrossSizes::winner_of(std::size_t answer) const {
  return of(answer, answers_[answer].choice.value().winner);
}

SizeTimes AcrossSizes::described(std::size_t answer) const {
  const TuneAnswer& a = answers_[answer];
  SizeTimes s;
  s.cells = double(a.space.cases.front().domain.box().cells());
  s.filled = filled(a);
  s.seconds.assign(size(), never);
  s.surely_faster.assign(size(), false);
  s.fallback = of(answer, a.space.space.fallback());
  s.weight = a.weight;
  return s;
}

std::vector<SizeTimes> AcrossSizes::searched() const {
  std::vector<SizeTimes> sizes;
  for (std::size_t n = 0; n < answers_.size(); ++n) {
    sizes.push_back(described(n));
    for (std::size_t c = 0; c < of_[n].size(); ++c)
      if (const auto& samples = answers_[n].evaluations[c].samples; !samples.empty())
        sizes.back().seconds[of_[n][c]] = median(samples);
  }
  return sizes;
}

std::vector<SizeTimes> AcrossSizes::confirmed() const {
  std::vector<SizeTimes> sizes;
  for (std::size_t n = 0; n < answers_.size(); ++n) {
    sizes.push_back(described(n));
    SizeTimes& s = sizes.back();
    const TuneAnswer& a = answers_[n];
    const ProcessSamples& fallback = a.fresh.at(a.space.space.fallback());
    for (std::size_t c = 0; c < of_[n].size(); ++c) {
      if (a.fresh[c].empty()) continue;
      s.seconds[of_[n][c]] = median_interval(a.fresh[c]).median;
      s.surely_faster[of_[n][c]] = fallback.empty() || is_faster(gain_of(fallback, a.fresh[c]));
    }
    if (told_anew(a)) continue;
    const std::size_t winner = a.choice.value().winner;
    s.seconds[of_[n][winner]] = median(a.evaluations[winner].samples);
    s.surely_faster[of_[n][winner]] = winner != a.space.space.fallback();
    if (const Evaluation& of_default = a.evaluations[a.space.space.fallback()]; of_default.ok())
      s.seconds[s.fallback] = median(of_default.samples);
  }
  return sizes;
}

std::vector<Traits> AcrossSizes::traits(std::size_t answer) const {
  std::vector<double> best;  // least seconds, by size
  const std::vector<SizeTimes> sizes = searched();
  for (const SizeTimes& s : sizes) best.push_back(*std::min_element(s.seconds.begin(), s.seconds.end()));
  std::vector<Traits> all(of_[answer].size());
  for (std::size_t c = 0; c < all.size(); ++c) {
    all[c].registers = registers(answers_[answer].records[c]);
    all[c].worst_elsewhere = 1;
    for (std::size_t n = 0; n < sizes.size(); ++n)
      if (n != answer)
        all[c].worst_elsewhere = std::max(all[c].worst_elsewhere, sizes[n].seconds[of_[answer][c]] / best[n]);
  }
  return all;
}

std::vector<std::vector<std::size_t>> AcrossSizes::groups(const TuneOptions& options) const {
  const std::vector<SizeTimes> sizes = searched();
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t n = 0; n < sizes.size(); ++n)
    if (n > 0 && !options.each_alone && (options.one_answer || may_share(sizes[n - 1], sizes[n])))
      groups.back().push_back(n);
    else
      groups.push_back({n});
  return groups;
}

std::set<std::size_t> AcrossSizes::finalists_of(const std::vector<std::size_t>& group,
                                                const TuneOptions& options) const {
  const std::vector<SizeTimes> all = searched();
  std::set<std::size_t> found;
  std::vector<SizeTimes> sizes;
  for (const std::size_t n : group) {
    found.insert(winner_of(n));
    found.insert(all[n].fallback);
    sizes.push_back(all[n]);
  }
  if (!group.empty() && group.front() > 0) found.insert(winner_of(group.front() - 1));
  if (!group.empty() && group.back() + 1 < answers_.size()) found.insert(winner_of(group.back() + 1));
  if (group.size() > 1)
    for (const std::size_t c : finalists(sizes, options.one_answer)) found.insert(c);
  for (std::size_t c = 0; options.against && c < size(); ++c)
    if (candidates_[c] == *options.against) found.insert(c);
  return found;
}

const TuneAnswer& told_at(const TuneResult& result, const TuneRange& range) {
  return result.answers.at(range.sizes.last);
}

std::string reason_of(const TuneResult& result, const TuneRange& range) {
  const TuneAnswer& a = told_at(result, range);
  const bool is_gpu = on_gpu(result.environment, to_string(a.space.cases.front().row->backend));
  return reasons(a.records.at(place_of(a, range.winner)), a.records.at(a.space.space.fallback()),
                 is_gpu ? result.environment.value("/gpu/multiprocessors"_json_pointer, 0) : 0);
}

ObjectiveSize objective_size(const TuneAnswer& a, const Candidate& winner, Objective objective) {
  const double cells = double(a.space.cases.front().domain.box().cells());
  const auto a_cell = [&](std::size_t c) -> std::optional<double> {
    const auto quantity = objective_quantity(a.records.at(c), objective);
    return quantity ? std::optional(*quantity / cells) : std::nullopt;
  };
  ObjectiveSize found{a_cell(place_of(a, winner)), a_cell(a.space.space.fallback())};
  const ProcessSamples& its = a.fresh.at(place_of(a, winner));
  for (const ProcessSamples& other : a.fresh)
    if (!its.empty() && !other.empty())
      found.over_least_time =
          std::max(found.over_least_time, median_interval(its).median / median_interval(other).median);
  return found;
}

bool is_of_the_defaults_kind(const TuneAnswer& a, std::size_t candidate) {
  const auto several_steps = [&](std::size_t c) { return a.space.cases[c].row->several_steps; };
  return several_steps(candidate) == several_steps(a.space.space.fallback());
}

std::vector<std::size_t> fastest_of(const TuneAnswer& a) {
  std::vector<std::pair<double, std::size_t>> timed;
  for (std::size_t c = 0; c < a.evaluations.size(); ++c)
    if (!a.evaluations[c].samples.empty()) timed.emplace_back(median(a.evaluations[c].samples), c);
  std::sort(timed.begin(), timed.end());
  std::vector<std::size_t> ranked;
  for (const auto& [_, c] : timed) ranked.push_back(c);
  return ranked;
}

std::vector<std::size_t> tried(const TuneAnswer& a) {
  std::vector<std::size_t> candidates;
  for (std::size_t c = 0; c < a.evaluations.size(); ++c)
    if (a.evaluations[c].status != TrialStatus::not_tried) candidates.push_back(c);
  return candidates;
}

bool were_tried(const TuneAnswer& a, const std::vector<std::size_t>& some) {
  return std::all_of(some.begin(), some.end(),
                     [&](std::size_t c) { return a.evaluations.at(c).status != TrialStatus::not_tried; });
}

bool few_were_tried(const TuneAnswer& a) {
  const std::size_t count = tried(a).size();
  return !a.is_between && count < few && count < a.evaluations.size();
}

std::size_t place_of(const TuneAnswer& a, const Candidate& candidate) {
  if (const auto place = a.space.space.find(candidate)) return *place;
  throw std::out_of_range(candidate_text(candidate) + " is not in the space");
}

bool told_anew(const TuneAnswer& a) {
  return std::any_of(a.fresh.begin(), a.fresh.end(), [](const ProcessSamples& p) { return !p.empty(); });
}

double seen_regret(const TuneAnswer& a, const Candidate& candidate) {
  // Times of confirming processes take precedence.
  const auto seconds = [&](std::size_t c) {
    if (!a.fresh[c].empty()) return median_interval(a.fresh[c]).median;
    return a.evaluations[c].samples.empty() ? never : median(a.evaluations[c].samples);
  };
  const double own = seconds(place_of(a, candidate));
  double least = own;
  for (std::size_t c = 0; c < a.evaluations.size(); ++c) least = std::min(least, seconds(c));
  return own < never ? own / least : 1;
}

std::optional<double> unconfirmed(double confirmed_regret, double seen_regret) {
  if (seen_regret <= (1 + smallest_effect) * confirmed_regret) return std::nullopt;
  return seen_regret;
}

std::optional<double> unconfirmed_regret(const TuneResult& result, const TuneRange& range) {
  double seen = 1;
  for (std::size_t n = range.sizes.first; n <= range.sizes.last; ++n)
    seen = std::max(seen, seen_regret(result.answers[n], range.winner));
  return unconfirmed(range.sizes.regret, seen);
}

std::optional<Gain> gain_there(const TuneAnswer& a, const Candidate& slow, const Candidate& fast) {
  const std::size_t slow_place = place_of(a, slow), fast_place = place_of(a, fast);
  const ProcessSamples &s = a.fresh.at(slow_place), &f = a.fresh.at(fast_place);
  const Evaluation &slow_search = a.evaluations.at(slow_place), &fast_search = a.evaluations.at(fast_place);
  if ((!told_anew(a) || (slow == fast && s.empty())) && slow_search.ok() && fast_search.ok())
    return gain_of({slow_search.samples}, {fast_search.samples});
  if (s.empty() || f.empty()) return std::nullopt;
  return gain_of(s, f);
}

}  // namespace cfdmark::tuning
