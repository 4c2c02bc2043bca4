#include <fmt/format.h>

#include "bench/compare/formats.hpp"
#include "bench/compare/wording.hpp"
#include "bench/sweep/duration.hpp"

namespace cfdmark::compare {
namespace {

constexpr const char* head =
    "| verdict | change | 95 % interval | base | new | case |\n|---|--:|---|--:|--:|---|\n";

// A bar would end the cell, and markup would be obeyed.
std::string in_cell(const std::string& text) {
  std::string safe;
  for (const char letter : text) {
    if (letter == '|' || letter == '\\' || letter == '*' || letter == '`') safe += '\\';
    if (letter == '<')
      safe += "&lt;";
    else
      safe += letter == '\n' ? ' ' : letter;
  }
  return safe;
}

std::string row_of(const CaseComparison& c) {
  const std::string times =
      c.ratio ? fmt::format("{} | {} | {} | {}", change_text(*c.ratio), interval_text(*c.ratio),
                            seconds_text(c.base_seconds), seconds_text(c.now_seconds))
              : " | | | ";
  const std::string more = remarks(c);
  const bool bad = c.regressed() || c.verdict <= Verdict::slower;
  return fmt::format("| {0}{1}{0} | {2} | `{3}`{4} |\n", bad ? "**" : "", to_string(c.verdict), times, c.name,
                     more.empty() ? "" : "<br>" + in_cell(more));
}

bool worth_reading(const CaseComparison& c) {
  return c.uses_more() || (c.verdict != Verdict::same && c.verdict != Verdict::not_run);
}

}  // namespace

std::string markdown(const Comparison& c) {
  std::string first, rest;
  std::size_t folded = 0;
  for (const CaseComparison& one : c.cases)
    if (worth_reading(one))
      first += row_of(one);
    else
      rest += row_of(one), ++folded;
  std::string text =
      fmt::format("### cfdmark: {}\n\n`{}` against the base `{}`\n\n", conclusion_text(c), c.now, c.base);
  if (!first.empty()) text += head + first + '\n';
  if (folded > 0)
    text += fmt::format("<details><summary>{} cases without a change</summary>\n\n{}{}\n</details>\n\n",
                        folded, head, rest);
  if (c.control) text += control_text(c) + "\n\n";
  for (const std::string& warning : c.warnings)
    text += fmt::format("> **warning:** {}\n\n", in_cell(warning));
  return text;
}

}  // namespace cfdmark::compare
