#include "bench/tune/check.hpp"

#include <fmt/format.h>

#include "bench/tune/across_sizes.hpp"

namespace cfdmark::tuning {
namespace {

const Gain exactly_as_long = {1, 1, 1, {}, 0};

// Returns the ratio of times; exactly 1 for a config compared with itself.
Gain times_as_long(const TuneAnswer& a, std::size_t slow, std::size_t fast) {
  if (slow == fast) return exactly_as_long;
  return gain_of(a.fresh[slow], a.fresh[fast]);
}

// Returns the result if only one config works: it is the best and the default, and needs no confirmation.
CheckedSize alone(const TuneAnswer& a, std::size_t only) {
  const Candidate& c = a.space.space[only];
  const double seconds = median(a.evaluations[only].samples);
  return {a.space.cases.front().domain.box(),
          c,
          c,
          c,
          c,
          seconds,
          seconds,
          seconds,
          seconds,
          exactly_as_long,
          exactly_as_long};
}

}  // namespace

std::optional<CheckedSize> checked_size(const TuneAnswer& a) {
  const std::size_t fallback = a.space.space.fallback();
  const auto tuned = a.beside.empty() ? std::nullopt : a.space.space.find(a.beside.front());
  if (tuned == fallback && fastest_of(a) == std::vector<std::size_t>{fallback}) return alone(a, fallback);
  if (!tuned || a.fresh[*tuned].empty() || a.fresh[fallback].empty()) return std::nullopt;
  const auto seconds = [&](std::size_t c) { return median_interval(a.fresh[c]).median; };
  std::size_t best = *tuned, best_of_kind = fallback;
  for (std::size_t c = 0; c < a.fresh.size(); ++c) {
    if (a.fresh[c].empty()) continue;
    if (seconds(c) < seconds(best)) best = c;
    if (is_of_the_defaults_kind(a, c) && seconds(c) < seconds(best_of_kind)) best_of_kind = c;
  }
  const SearchSpace& space = a.space.space;
  return CheckedSize{a.space.cases.front().domain.box(),
                     space[best],
                     space[best_of_kind],
                     space[*tuned],
                     space[fallback],
                     seconds(best),
                     seconds(best_of_kind),
                     seconds(*tuned),
                     seconds(fallback),
                     times_as_long(a, *tuned, best),
                     times_as_long(a, *tuned, fallback)};
}

std::string why_not_known(const TuneAnswer& a) {
  const auto tuned = a.beside.empty() ? std::nullopt : a.space.space.find(a.beside.front());
  if (!tuned) return "the tuned config is not valid on this grid";
  for (const std::size_t c : {*tuned, a.space.space.fallback()})
    if (a.fresh[c].empty())
      return fmt::format("{} was not confirmed: {}", candidate_text(a.space.space[c]),
                         a.evaluations[c].reason.empty() ? "out of time" : a.evaluations[c].reason);
  return "";
}

}  // namespace cfdmark::tuning
