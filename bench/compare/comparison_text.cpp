#include "bench/compare/comparison_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "bench/text/duration.hpp"

namespace cfdmark::compare {
namespace {

double percent(double ratio) { return 100 * (ratio - 1); }

std::string name_of(const Comparison& c) {
  switch (exit_status(c)) {
    case compare_regression: return c.regressions() > 0 ? "regression" : "undecided, a failure with --strict";
    case compare_undecided: return "undecided";
    case compare_wrong: return "wrong or missing";
    case compare_usage: return "nothing was compared";
    default: return "no regression";
  }
}

std::string change_text(const Ratio& r) { return fmt::format("{:+.1f} %", percent(r.ratio())); }

std::string interval_text(const Ratio& r) {
  const auto [low, high] = r.interval();
  if (!std::isfinite(high)) return "unknown";
  return fmt::format("{:+.1f} to {:+.1f} %", percent(low), percent(high));
}

std::string line_of(const CaseComparison& c) {
  const std::string times =
      c.ratio ? fmt::format("{:>9}  {:<18} {:>9} {:>9}", change_text(*c.ratio), interval_text(*c.ratio),
                            seconds_text(c.base_seconds), seconds_text(c.now_seconds))
              : fmt::format("{:48}", "");
  const std::string more = remarks(c);
  return fmt::format("{:<10}{}  {}{}\n", to_string(c.verdict), times, c.label,
                     more.empty() ? "" : fmt::format("\n{:12}{}", "", more));
}

// Returns one line for each reason of cases that run on neither side.
std::string not_run_text(const Comparison& c) {
  std::map<std::string, int> reasons;
  for (const CaseComparison& one : c.cases)
    if (one.verdict == Verdict::not_run) ++reasons[one.reason];
  std::string text;
  for (const auto& [reason, count] : reasons) text += fmt::format("not run   {} cases: {}\n", count, reason);
  return text;
}

}  // namespace

std::string remarks(const CaseComparison& c) {
  std::string text = c.reason;
  for (const QuantityChange& q : c.quantities)
    if (q.direction != Direction::unchanged)
      text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", to_text(q),
                          q.direction == Direction::worse ? "worse" : "better");
  return text;
}

std::string counts_text(const Comparison& c) {
  std::string text;
  for (int n = 0; n <= int(Verdict::not_run); ++n)
    if (const std::size_t count = c.count(Verdict(n)); count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(Verdict(n)));
  if (const std::size_t widened = c.widened())
    text += fmt::format("; {} of these the same only within {:.1f} %", widened, 100 * c.widest_same());
  std::size_t more = 0;
  for (const CaseComparison& one : c.cases) more += one.uses_more() && one.verdict != Verdict::slower;
  return more > 0 ? fmt::format("{}; {} with another quantity worse", text, more) : text;
}

std::string conclusion_text(const Comparison& c) {
  return fmt::format("{} ({})", name_of(c), counts_text(c));
}

std::string control_text(const Comparison& c) {
  if (!c.control) return "";
  const std::size_t moved = c.control->moved.size();
  return fmt::format(
      "control, the base against itself: {}; detectable are changes above {:.1f} % in half of the cases and "
      "above {:.1f} % in all",
      moved == 0 ? "no case differs" : fmt::format("{} cases differ", moved), 100 * c.control->typical_effect,
      100 * c.control->visible_effect);
}

std::string comparison_table(const Comparison& c) {
  std::string text = fmt::format("base  {}\nnew   {}\n\n", c.base, c.now);
  text += fmt::format("{:<10}{:>9}  {:<18} {:>9} {:>9}  {}\n", "VERDICT", "CHANGE", "95 % INTERVAL", "BASE",
                      "NEW", "CASE");
  for (const CaseComparison& one : c.cases)
    if (one.verdict != Verdict::not_run) text += line_of(one);
  text += not_run_text(c);
  text += '\n';
  if (c.control) text += control_text(c) + '\n';
  for (const std::string& warning : c.warnings) text += "warning: " + warning + '\n';
  return text + conclusion_text(c) + '\n';
}

}  // namespace cfdmark::compare
