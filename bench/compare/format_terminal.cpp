#include <fmt/format.h>

#include <map>

#include "bench/compare/formats.hpp"
#include "bench/compare/wording.hpp"
#include "bench/sweep/duration.hpp"

namespace cfdmark::compare {
namespace {

std::string line_of(const CaseComparison& c) {
  const std::string times =
      c.ratio ? fmt::format("{:>9}  {:<18} {:>9} {:>9}", change_text(*c.ratio), interval_text(*c.ratio),
                            seconds_text(c.base_seconds), seconds_text(c.now_seconds))
              : fmt::format("{:48}", "");
  const std::string more = remarks(c);
  return fmt::format("{:<10}{}  {}{}\n", to_string(c.verdict), times, c.name,
                     more.empty() ? "" : fmt::format("\n{:12}{}", "", more));
}

// Cases that run on neither side: a line for each reason.
std::string not_run_text(const Comparison& c) {
  std::map<std::string, int> reasons;
  for (const CaseComparison& one : c.cases)
    if (one.verdict == Verdict::not_run) ++reasons[one.reason];
  std::string text;
  for (const auto& [reason, count] : reasons) text += fmt::format("not run   {} cases: {}\n", count, reason);
  return text;
}

}  // namespace

std::string terminal_table(const Comparison& c) {
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
