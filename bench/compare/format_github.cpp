#include <fmt/format.h>

#include "bench/compare/formats.hpp"
#include "bench/compare/wording.hpp"

namespace cfdmark::compare {
namespace {

// Workflow commands end at the line's end, and take %25, %0A, %0D for what they cannot hold; titles : and ,
// too.
std::string escaped(const std::string& text, bool title) {
  std::string safe;
  for (const char letter : text)
    if (letter == '%')
      safe += "%25";
    else if (letter == '\n')
      safe += "%0A";
    else if (letter == '\r')
      safe += "%0D";
    else if (title && letter == ':')
      safe += "%3A";
    else if (title && letter == ',')
      safe += "%2C";
    else
      safe += letter;
  return safe;
}

std::string command(const char* level, const std::string& title, const std::string& message) {
  return fmt::format("::{} title={}::{}\n", level, escaped(title, true), escaped(message, false));
}

const char* level_of(const CaseComparison& c) {
  if (c.verdict == Verdict::wrong || c.verdict == Verdict::vanished || c.regressed()) return "error";
  return c.verdict == Verdict::undecided ? "warning" : "notice";
}

bool worth_telling(const CaseComparison& c) {
  return c.uses_more() || (c.verdict != Verdict::same && c.verdict != Verdict::not_run);
}

}  // namespace

std::string github_annotations(const Comparison& c) {
  std::string text;
  for (const CaseComparison& one : c.cases) {
    if (!worth_telling(one)) continue;
    std::string message = one.name;
    if (one.ratio) message += fmt::format(": {} ({})", change_text(*one.ratio), interval_text(*one.ratio));
    if (const std::string more = remarks(one); !more.empty()) message += "\n" + more;
    text += command(level_of(one), fmt::format("cfdmark: {}", to_string(one.verdict)), message);
  }
  for (const std::string& warning : c.warnings) text += command("warning", "cfdmark", warning);
  const std::string control = control_text(c);
  return text + command("notice", "cfdmark", conclusion_text(c) + (control.empty() ? "" : "\n" + control));
}

}  // namespace cfdmark::compare
