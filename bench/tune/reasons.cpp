#include "bench/tune/reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/measure/ceilings.hpp"

namespace cfdmark::tuning {
namespace {

constexpr double telling = 0.05;

double number(const Json& record, const char* pointer) {
  const Json found = record.value(Json::json_pointer(pointer), Json());
  return found.is_number() ? found.get<double>() : 0;
}

// The device function with the most registers, as on the page of a tuning space
// (scripts/cfdmark/report/tuning/launch.py).
struct WidestFunction {
  double registers = 0, waves = 0;  // 0: unknown

  // Returns the idle share of the last wave in per cent, if all blocks take equally long.
  double idle_percent() const { return 100 * (1 - waves / std::ceil(waves)); }
};

WidestFunction widest_function(const Json& record, int multiprocessors) {
  WidestFunction found;
  for (const Json& kernel : record.value("/resources/kernels"_json_pointer, Json::array())) {
    const double blocks = kernel.value("blocks", 0.0), resident = kernel.value("resident_blocks", 0.0);
    const double registers = kernel.value("registers", 0.0);
    if (registers <= found.registers) continue;
    found.registers = registers;
    found.waves = resident > 0 && multiprocessors > 0 ? blocks / (resident * multiprocessors) : 0;
  }
  return found;
}

// Returns true if both are known and differ by more than `telling`.
bool differ(double a, double b) { return a > 0 && b > 0 && std::abs(a - b) > telling * std::max(a, b); }

}  // namespace

std::string reasons(const Json& winner, const Json& fallback, int multiprocessors) {
  if (winner.is_null() || fallback.is_null()) return "";
  std::vector<std::string> parts;
  const auto compare = [&](const char* pointer, const auto& text) {
    const double ours = number(winner, pointer), theirs = number(fallback, pointer);
    if (differ(ours, theirs)) parts.push_back(text(ours, theirs));
  };
  compare("/cost/bytes", [](double ours, double theirs) {
    return fmt::format("moves {:.2f} times the default's bytes", ours / theirs);
  });
  const auto share = [](const Json& r) { return number(r, "/rate/roof_fraction"); };
  if (std::max(share(winner), share(fallback)) <= most_of_a_roof)
    compare("/rate/roof_fraction", [](double ours, double theirs) {
      return fmt::format("reaches {:.0f} % of the roofline (default {:.0f} %)", 100 * ours, 100 * theirs);
    });
  compare("/resources/launches", [](double ours, double theirs) {
    return fmt::format("takes {:g} launch{} (default {:g})", ours, ours == 1 ? "" : "es", theirs);
  });
  const WidestFunction ours = widest_function(winner, multiprocessors),
                       theirs = widest_function(fallback, multiprocessors);
  if (differ(ours.waves, theirs.waves))
    parts.push_back(
        fmt::format("runs {:.3g} waves of blocks, the last {:.0f} % idle (default {:.3g} and {:.0f} %)",
                    ours.waves, ours.idle_percent(), theirs.waves, theirs.idle_percent()));
  if (differ(ours.registers, theirs.registers))
    parts.push_back(
        fmt::format("has {:g} registers per thread (default {:g})", ours.registers, theirs.registers));
  std::string sentence;
  for (std::size_t n = 0; n < parts.size(); ++n)
    sentence += (n == 0 ? "It " : n + 1 < parts.size() ? ", " : " and ") + parts[n];
  return sentence.empty() ? "" : sentence + ".";
}

}  // namespace cfdmark::tuning
