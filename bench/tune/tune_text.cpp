#include "bench/tune/tune_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/record/interval_json.hpp"
#include "bench/text/duration.hpp"
#include "bench/tune/across_sizes.hpp"
#include "bench/tune/runner.hpp"
#include "bench/worker/workers_time.hpp"

namespace cfdmark::tuning {
namespace {

std::string confirmed_text(const std::optional<Confirmation>& c) {
  if (!c) return "";
  if (c->winner.empty()) return ", unconfirmed";
  return fmt::format(", confirmed in {} new {}", c->winner.size(),
                     c->winner.size() == 1 ? "process" : "processes");
}

std::string interval_text(const Gain& gain) {
  if (gain.low) return fmt::format(" [{:.3f}, {:.3f}]", *gain.low, *gain.high);
  return gain.fewest == 1 ? ", from single samples"
                          : fmt::format(", from {} samples per process", gain.fewest);
}

// Returns ", by another method than plain" if the winner's method is not the default's, because such a gain
// is not one of the config alone.
std::string another_method_text(const Candidate& winner, const Candidate& fallback) {
  return winner.method == fallback.method ? "" : fmt::format(", by another method than {}", fallback.method);
}

// `use` is the label of the answer: with several sizes it is not yet the answer of a range.
void print_choice(const TuneAnswer& a, const char* use) {
  const Selection& v = *a.choice;
  const auto line = [&](std::size_t c) {
    const MedianInterval m = median_interval(a.evaluations[c].samples);
    const std::string interval =
        has_interval(m) ? fmt::format(" [{}, {}]", seconds_text(m.low), seconds_text(m.high)) : "";
    return fmt::format("{:<44} {:>9}{}, {} samples", candidate_text(a.space.space[c]), seconds_text(m.median),
                       interval, a.evaluations[c].samples.size());
  };
  fmt::print("  {:<8} {}\n", use, line(v.winner));
  if (v.winner != a.space.space.fallback() && v.gain)
    fmt::print("  default  {}\n", line(a.space.space.fallback()));
  if (!v.gain)
    fmt::print("  gain     unknown: the default {} has no time\n",
               candidate_text(a.space.space[a.space.space.fallback()]));
  else
    fmt::print("  gain     {:.3f} times as fast as the default{}{}{}\n", v.gain->value,
               interval_text(*v.gain),
               another_method_text(a.space.space[v.winner], a.space.space[a.space.space.fallback()]),
               v.winner == a.space.space.fallback() ? "" : confirmed_text(a.confirmation));
  fmt::print("  why      {}\n", v.rule);
  constexpr std::size_t most = 8;
  std::vector<std::size_t> ties = v.ties;
  std::erase(ties, v.winner);
  std::sort(ties.begin(), ties.end(), [&](std::size_t one, std::size_t other) {
    return median(a.evaluations[one].samples) < median(a.evaluations[other].samples);
  });
  if (!ties.empty()) fmt::print("  ties     {}\n", ties.size());
  for (std::size_t n = 0; n < std::min(most, ties.size()); ++n) fmt::print("           {}\n", line(ties[n]));
  if (ties.size() > most) fmt::print("           and {} more, in the tuned table\n", ties.size() - most);
}

void print_answer(const TuneAnswer& a, const char* use) {
  std::map<std::string, std::size_t> by_status;
  std::size_t samples = 0;
  for (const Evaluation& e : a.evaluations)
    ++by_status[std::string(to_string(e.status))], samples += e.samples.size();
  std::string statuses;
  for (const auto& [status, count] : by_status) statuses += fmt::format(", {} {}", count, status);
  if (!a.space.excluded.empty())
    statuses += fmt::format("; {} more excluded by constraints", a.space.excluded.size());
  const Case& c = a.space.cases.front();
  fmt::print("{}/{}/{} on {}: {} configs{}; {} samples in {}\n", c.row->name, to_string(device_of(c)),
             to_string(c.row->precision), grid_text(c.domain.box()), a.evaluations.size(), statuses, samples,
             seconds_text(a.seconds));
  if (a.choice) print_choice(a, use);
}

// Returns "; 1.200 times as fast as plain:block_x=32 [1.190, 1.210]".
std::string against_text(const TuneAnswer& a, const Candidate& winner, const Candidate& fixed) {
  if (winner == fixed) return fmt::format("; {} is the answer itself", candidate_text(fixed));
  if (const auto gain = gain_there(a, fixed, winner))
    return fmt::format("; {:.3f} times as fast as {}{}", gain->value, candidate_text(fixed),
                       interval_text(*gain));
  const std::string& reason = a.evaluations[place_of(a, fixed)].reason;
  return fmt::format("; {} has no time{}", candidate_text(fixed), reason.empty() ? "" : ": " + reason);
}

// Returns "; 12.1 nJ per cell, 0.852 times the default's, at 1.041 times the least time".
std::string objective_text(const ObjectiveSize& size, Objective objective) {
  std::string text = "; its ";
  if (!size.winner)
    text += fmt::format("{} is unknown", to_string(objective));
  else if (objective == Objective::energy)
    text = fmt::format("; {:.3g} nJ per cell", *size.winner * 1e9);
  else
    text = fmt::format("; {:.3g} bytes per cell", *size.winner);
  if (size.winner && size.fallback)
    text += fmt::format(", {:.3f} times the default's", *size.winner / *size.fallback);
  return text + fmt::format(", at {:.3f} times the least time", size.over_least_time);
}

// Prints the answer of a range at one of its sizes.
void print_size(const TuneAnswer& a, const Candidate& winner, const TuneOptions& options) {
  const Candidate& fallback = a.space.space[a.space.space.fallback()];
  std::string line = grid_text(a.space.cases.front().domain.box());
  if (winner == fallback)
    line += ": the default";
  else if (const auto gain = gain_there(a, fallback, winner))
    line += fmt::format(": {:.3f} times as fast as the default{}", gain->value, interval_text(*gain));
  else
    line += ": the default has no time";
  if (options.objective != Objective::time)
    line += objective_text(objective_size(a, winner, options.objective), options.objective);
  if (options.against) line += against_text(a, winner, *options.against);
  fmt::print("           {}\n", line);
}

// Returns the limits of a range as sides: "squares with sides of 230 to 1448 cells".
std::string sides_text(const SizeRange& r, const TuneAnswer& a) {
  const bool cubes = a.space.cases.front().domain.box().is_3d();
  const auto side = [&](double cells) { return cubes ? std::cbrt(cells) : std::sqrt(cells); };
  constexpr double rounding = 1e-9;
  return fmt::format("{} with sides of {:.0f} to {:.0f} cells", cubes ? "cubes" : "squares",
                     std::ceil(side(r.least_cells) * (1 - rounding)),
                     std::floor(side(r.most_cells) * (1 + rounding)));
}

void print_reason(const TuneResult& result, const TuneRange& range) {
  if (const std::string reason = reason_of(result, range); !reason.empty())
    fmt::print("  facts    {}\n", reason);
}

void print_range(const TuneResult& result, const TuneRange& range, const TuneOptions& options) {
  const SizeRange& r = range.sizes;
  fmt::print("{}{}\n", sides_text(r, told_at(result, range)),
             range.regime.empty() ? "" : ", working set: " + range.regime);
  fmt::print("  use      {}\n", candidate_text(range.winner));
  fmt::print("  regret   at most {:.3f} times the {}{}\n", r.regret,
             options.objective == Objective::energy   ? "least energy"
             : options.objective == Objective::memory ? "best time with the least memory"
                                                      : "best config's time",
             options.one_answer ? fmt::format(", mean {:.3f}", r.mean_regret) : "");
  if (const auto seen = unconfirmed_regret(result, range); seen && options.objective == Objective::time)
    fmt::print("           {:.3f} times the least time of the search (unconfirmed)\n", *seen);
  fmt::print("  why      {}\n", r.rule);
  print_reason(result, range);
  fmt::print("  sizes\n");
  for (std::size_t n = r.first; n <= r.last; ++n) print_size(result.answers[n], range.winner, options);
}

}  // namespace

std::string time_text(const TuneSession& session) {
  return cfdmark::time_text(session.seconds(), session.time_of_workers(), "searching and saving");
}

void print_answers(const TuneResult& result, const TuneOptions& options) {
  const bool several = result.answers.size() > 1 || options.objective != Objective::time;
  for (const TuneAnswer& a : result.answers) print_answer(a, several ? "fastest" : "use");
  if (several)
    for (const TuneRange& r : result.ranges) print_range(result, r, options);
  else
    for (const TuneRange& r : result.ranges) {
      fmt::print("  range    {}\n", sides_text(r.sizes, result.answers[0]));
      print_reason(result, r);
      if (options.against)
        fmt::print("  against  {}\n", against_text(result.answers[0], r.winner, *options.against).substr(2));
    }
}

}  // namespace cfdmark::tuning
