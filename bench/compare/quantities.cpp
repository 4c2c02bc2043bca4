#include "bench/compare/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "bench/compare/record_facts.hpp"
#include "bench/text/words.hpp"
#include "kernels/core/statistics.hpp"

namespace cfdmark::compare {
namespace {

// Reduces one number over a record's device functions, by maximum or minimum.
template <class Choose>
std::optional<double> of_kernels(const Json& record, const char* key, const Choose& choose) {
  std::optional<double> chosen;
  const Json* kernels = fact(record, "/resources/kernels");
  if (!kernels || !kernels->is_array()) return chosen;
  for (const Json& kernel : *kernels)
    if (const auto value = number_fact(kernel, std::string("/") + key))
      chosen = chosen ? choose(*chosen, *value) : *value;
  return chosen;
}

constexpr auto greatest = [](double a, double b) { return std::max(a, b); };
constexpr auto least = [](double a, double b) { return std::min(a, b); };

std::optional<double> median_of(const Quantity& quantity, const SideCase& c) {
  std::vector<double> values;
  for (const auto& [round, record] : c.records)
    if (const auto value = quantity.of(record)) values.push_back(*value);
  if (values.empty()) return std::nullopt;
  return median(values);
}

Direction direction_of(const Quantity& q, double base, double now, double threshold) {
  const double change = now - base;
  if (std::abs(change) <= threshold * std::abs(base) || std::abs(change) <= q.slack)
    return Direction::unchanged;
  return (change < 0) == q.less_is_better ? Direction::better : Direction::worse;
}

std::vector<std::string> quantity_names() {
  std::vector<std::string> names;
  for (const Quantity& q : quantities()) names.push_back(q.name);
  return names;
}

}  // namespace

const std::vector<Quantity>& quantities() {
  static const std::vector<Quantity> all = {
      // An extra register may cost nothing; where it costs occupancy, that quantity shows it.
      {"registers", "", true, 0.10, 0, [](const Json& r) { return of_kernels(r, "registers", greatest); }},
      {"spills", "bytes", true, 0, 0, [](const Json& r) { return of_kernels(r, "local_bytes", greatest); }},
      {"occupancy", "", false, 0.05, 0, [](const Json& r) { return of_kernels(r, "occupancy", least); }},
      {"field_memory", "bytes", true, 0.01, 0,
       [](const Json& r) { return number_fact(r, "/memory/field_bytes"); }},
      // Allocators round up, and process memory is counted in pages.
      {"host_memory", "bytes", true, 0.10, 4 << 20,
       [](const Json& r) { return number_fact(r, "/memory/host_peak_bytes"); }},
      // Solvers check their residual only every few iterations.
      {"iterations", "", true, 0.02, 0, [](const Json& r) { return number_fact(r, "/solver/iterations"); }},
      {"instructions", "", true, 0.01, 0,
       [](const Json& r) { return number_fact(r, "/instructions/per_step"); }}};
  return all;
}

Thresholds thresholds_from(const std::vector<std::string>& texts) {
  Thresholds thresholds;
  const std::vector<std::string> names = quantity_names();
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw std::invalid_argument(fmt::format("--threshold {}: unknown quantity '{}'; expected {}{}", text,
                                              name, one_of(names), did_you_mean(name, names)));
    const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
    double percent = -1;
    const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), percent);
    const std::string rest(stop, value.data() + value.size());
    if (error != std::errc() || (rest != "%" && !rest.empty()) || !(percent >= 0) || !std::isfinite(percent))
      throw std::invalid_argument(
          fmt::format("--threshold {}: expected a percentage, such as {}=5%", text, name));
    thresholds[name] = percent / 100;
  }
  return thresholds;
}

std::vector<QuantityChange> quantity_changes(const SideCase& base, const SideCase& now,
                                             const Thresholds& thresholds) {
  std::vector<QuantityChange> changes;
  for (const Quantity& q : quantities()) {
    const auto b = median_of(q, base), n = median_of(q, now);
    if (!b || !n || *b == *n) continue;
    const auto own = thresholds.find(q.name);
    changes.push_back(
        {&q, *b, *n, direction_of(q, *b, *n, own == thresholds.end() ? q.threshold : own->second)});
  }
  return changes;
}

std::string to_text(const QuantityChange& c) {
  return fmt::format("{} {:g} -> {:g}{}{}", c.quantity->name, c.base, c.now,
                     c.quantity->unit.empty() ? "" : " ", c.quantity->unit);
}

}  // namespace cfdmark::compare
