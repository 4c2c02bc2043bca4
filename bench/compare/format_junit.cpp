#include <fmt/format.h>

#include "bench/compare/formats.hpp"
#include "bench/compare/wording.hpp"

namespace cfdmark::compare {
namespace {

// Control characters have no place in XML at all.
std::string in_xml(const std::string& text) {
  std::string safe;
  for (const char letter : text) switch (letter) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      default: safe += static_cast<unsigned char>(letter) < 0x20 ? ' ' : letter;
    }
  return safe;
}

std::string message_of(const CaseComparison& c) {
  std::string text(to_string(c.verdict));
  if (c.ratio) text += fmt::format(" {} ({})", change_text(*c.ratio), interval_text(*c.ratio));
  if (const std::string more = remarks(c); !more.empty()) text += ": " + more;
  return in_xml(text);
}

std::string test_case(const CaseComparison& c) {
  std::string inside;
  if (c.verdict == Verdict::wrong || c.verdict == Verdict::vanished || c.regressed())
    inside = fmt::format("<failure type=\"{}\" message=\"{}\"/>", to_string(c.verdict), message_of(c));
  else if (c.verdict == Verdict::undecided || c.verdict == Verdict::not_run)
    inside = fmt::format("<skipped message=\"{}\"/>", message_of(c));
  else
    inside = fmt::format("<system-out>{}</system-out>", message_of(c));
  return fmt::format("    <testcase classname=\"cfdmark\" name=\"{}\" time=\"{:g}\">{}</testcase>\n",
                     in_xml(c.name), c.now_seconds, inside);
}

}  // namespace

std::string junit(const Comparison& c) {
  std::size_t failures = 0;
  std::string cases, warnings;
  for (const CaseComparison& one : c.cases) {
    cases += test_case(one);
    failures += one.verdict == Verdict::wrong || one.verdict == Verdict::vanished || one.regressed();
  }
  for (const std::string& warning : c.warnings) warnings += "warning: " + in_xml(warning) + '\n';
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"cfdmark compare\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n{}"
      "    <system-out>{}\n{}\n{}</system-out>\n  </testsuite>\n</testsuites>\n",
      c.cases.size(), failures, c.count(Verdict::undecided) + c.count(Verdict::not_run), cases,
      in_xml(conclusion_text(c)), in_xml(control_text(c)), warnings);
}

}  // namespace cfdmark::compare
