#include "bench/tune/objective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "kernels/core/statistics.hpp"

namespace cfdmark::tuning {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// Replaces times by joules, for candidates within the time limit.
void weigh_energy(SizeTimes& s, const std::vector<std::optional<double>>& joules) {
  const double limit = most_time_for_energy * *std::min_element(s.seconds.begin(), s.seconds.end());
  for (std::size_t c = 0; c < s.seconds.size(); ++c)
    s.seconds[c] = joules[c] && s.seconds[c] <= limit ? *joules[c] : never;
  const double usual = s.seconds[s.fallback];
  for (std::size_t c = 0; c < s.seconds.size(); ++c)
    s.surely_faster[c] = s.seconds[c] < usual * (1 - energy_effect);
}

// Keeps the times of the candidates with the fewest bytes.
void weigh_memory(SizeTimes& s, const std::vector<std::optional<double>>& bytes) {
  double least = never;
  for (std::size_t c = 0; c < s.seconds.size(); ++c)
    if (bytes[c] && std::isfinite(s.seconds[c])) least = std::min(least, *bytes[c]);
  for (std::size_t c = 0; c < s.seconds.size(); ++c)
    if (!bytes[c] || *bytes[c] > (1 + smallest_effect) * least) s.seconds[c] = never;
  if (std::isfinite(s.seconds[s.fallback])) return;
  for (std::size_t c = 0; c < s.seconds.size(); ++c) s.surely_faster[c] = std::isfinite(s.seconds[c]);
}

// Returns true for an NVML energy without the seconds per step of the same run: it includes idle power while
// the counter was read. Kept records of an earlier program hold such values.
bool is_wrong(const Json& energy) {
  return energy.value("source", "") == "nvml" && !energy.contains("seconds_per_step");
}

}  // namespace

std::string_view to_string(Objective objective) {
  return objective == Objective::energy ? "energy" : objective == Objective::memory ? "memory" : "time";
}

Objective objective_from(const std::string& word) {
  for (const Objective objective : {Objective::time, Objective::energy, Objective::memory})
    if (word == to_string(objective)) return objective;
  throw std::invalid_argument(
      fmt::format("--objective {}: unknown objective; expected time, energy or memory", word));
}

std::optional<double> objective_quantity(const Json& record, Objective objective) {
  const char* const part = objective == Objective::energy ? "energy" : "memory";
  const char* const key = objective == Objective::energy ? "joules_per_step" : "field_bytes";
  if (!record.is_object() || !record.contains(part) || !record[part].contains(key)) return std::nullopt;
  if (objective == Objective::energy && is_wrong(record[part])) return std::nullopt;
  return record[part][key].get<double>();
}

SizeTimes by_objective(SizeTimes times, const std::vector<std::optional<double>>& quantities,
                       Objective objective) {
  if (objective == Objective::time) return times;
  SizeTimes s = times;
  if (objective == Objective::energy)
    weigh_energy(s, quantities);
  else
    weigh_memory(s, quantities);
  if (std::any_of(s.seconds.begin(), s.seconds.end(), [](double x) { return std::isfinite(x); })) return s;
  const std::size_t only =
      std::isfinite(times.seconds[times.fallback])
          ? times.fallback
          : std::size_t(std::min_element(times.seconds.begin(), times.seconds.end()) - times.seconds.begin());
  s.seconds[only] = times.seconds[only];
  return s;
}

std::string objective_rule(Objective objective, bool is_default) {
  if (objective == Objective::energy)
    return is_default ? "no config takes significantly less energy than the default"
                      : fmt::format("the least energy of the configs within {:.0f} % of the least time",
                                    100 * (most_time_for_energy - 1));
  return is_default ? "no config with the least memory is significantly faster than the default"
                    : "the fastest config with the least memory";
}

}  // namespace cfdmark::tuning
