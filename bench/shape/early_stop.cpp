#include "bench/shape/early_stop.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace cfdmark {
namespace {

constexpr double slowest_ratio = 0.9, same_ratio = 0.1;
constexpr int looks_in_a_row = 3;

struct Estimate {
  double value, ratio;
};

// By the value at `last` and two earlier ones.
Estimate estimate(const std::vector<double>& values, std::size_t last, std::size_t spacing) {
  const double now = values[last] - values[last - spacing],
               before = values[last - spacing] - values[last - 2 * spacing], ratio = now / before;
  return {values[last] + now * ratio / (1 - ratio), ratio};
}

}  // namespace

std::optional<SeriesLimit> limit_of(const std::vector<double>& values, std::size_t spacing) {
  if (spacing == 0 || values.size() < 2 * spacing + looks_in_a_row) return {};
  const std::size_t last = values.size() - 1;
  const Estimate now = estimate(values, last, spacing);
  double width = 0;
  for (int n = 0; n < looks_in_a_row; ++n) {
    const Estimate one = estimate(values, last - std::size_t(n), spacing);
    if (!(one.ratio > 0 && one.ratio < slowest_ratio && std::abs(one.ratio - now.ratio) < same_ratio))
      return {};
    width = std::max(width, std::abs(one.value - now.value));
  }
  return SeriesLimit{now.value, width};
}

std::optional<double> StopDecision::bound(const std::vector<double>& objectives) const {
  const double must_exceed = threshold_ + rule_.margin * std::abs(threshold_);
  double least = 0;
  for (int n = 0; n < looks_in_a_row; ++n) {
    if (objectives.size() < std::size_t(n) + 1) return {};
    const std::vector<double> so_far(objectives.begin(), objectives.end() - n);
    const auto limit = limit_of(so_far, so_far.size() / 5);
    if (!limit || !(limit->value - limit->width > must_exceed)) return {};
    if (n == 0) least = limit->value - limit->width;
  }
  return least;
}

bool StopDecision::is_audited(const std::string& name) const {
  // FNV-1a, the same in every build.
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  hash ^= hash >> 32;
  return double(hash % 10000) < 1e4 * rule_.audit;
}

}  // namespace cfdmark
