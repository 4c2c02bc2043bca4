#include "bench/compare/wording.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cfdmark::compare {
namespace {

double percent(double ratio) { return 100 * (ratio - 1); }

std::string name_of(int status) {
  switch (status) {
    case compare_regression: return "regression";
    case compare_undecided: return "undecided";
    case compare_wrong: return "wrong or missing";
    default: return "no regression";
  }
}

}  // namespace

std::string change_text(const Ratio& r) { return fmt::format("{:+.1f} %", percent(r.ratio())); }

std::string interval_text(const Ratio& r) {
  const auto [low, high] = r.interval();
  if (!std::isfinite(high)) return "unknown";
  return fmt::format("{:+.1f} to {:+.1f} %", percent(low), percent(high));
}

std::string remarks(const CaseComparison& c) {
  std::string text = c.reason;
  for (const QuantityChange& q : c.quantities)
    if (q.turn != Turn::unchanged)
      text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", to_text(q),
                          q.turn == Turn::worse ? "worse" : "better");
  return text;
}

std::string counts_text(const Comparison& c) {
  std::string text;
  for (int n = 0; n <= int(Verdict::not_run); ++n)
    if (const std::size_t count = c.count(Verdict(n)); count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(Verdict(n)));
  std::size_t more = 0;
  for (const CaseComparison& one : c.cases) more += one.uses_more() && one.verdict != Verdict::slower;
  return more > 0 ? fmt::format("{}; {} use more of something else than time", text, more) : text;
}

std::string conclusion_text(const Comparison& c) {
  return fmt::format("{} ({})", name_of(exit_status(c)), counts_text(c));
}

std::string control_text(const Comparison& c) {
  if (!c.control) return "";
  const std::size_t moved = c.control->moved.size();
  return fmt::format(
      "control, the base against itself: {}; changes above {:.1f} % in half of the cases and above {:.1f} % "
      "in all could "
      "have been seen",
      moved == 0 ? "no case moved" : fmt::format("{} cases moved", moved), 100 * c.control->typical_effect,
      100 * c.control->visible_effect);
}

}  // namespace cfdmark::compare
