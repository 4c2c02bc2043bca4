#include "bench/choose/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "bench/choose/question.hpp"
#include "bench/record/interval_json.hpp"
#include "bench/text/duration.hpp"

namespace cfdmark {
namespace {

// Names in one line of reasons; of more, these many are examples.
constexpr std::size_t most_names = 6;

int iterations_of(const Contender& c) {
  const Json& solver = c.record->result.solver;
  return solver.is_object() ? solver.value("iterations", 0) : 0;
}

std::string residual_text(const Contender& c) {
  const Json& solver = c.record->result.solver;
  const double residual =
      solver.is_object() ? solver.value("true_residual", solver.value("relative_residual", 0.0)) : 0;
  return fmt::format("{:.1e}", residual);
}

std::string bytes_text(double bytes) {
  const char* const units[] = {"kB", "MB", "GB"};
  std::size_t n = 0;
  for (bytes /= 1e3; bytes >= 1e3 && n < 2; bytes /= 1e3) ++n;
  return fmt::format("{:.3g} {}", bytes, units[n]);
}

std::string memory_text(const Contender& c) {
  const Json& memory = c.record->result.memory;
  return memory.is_object() ? bytes_text(memory.value("field_bytes", 0.0)) : "";
}

// Returns "+-1.2 %", or the number of samples if these are too few for an interval.
std::string interval_text(const Contender& c) {
  const MedianInterval& step = c.record->derived->step;
  const std::size_t count = c.record->result.sample_count();
  return has_interval(step) ? fmt::format("+-{:.1f} %", 100 * step.relative_half_width())
                            : fmt::format("{} sample{}", count, count == 1 ? "" : "s");
}

// Returns the method, with the settings that differ from its defaults.
std::string method_text(const Case& c) {
  std::string text = c.row->method;
  const Config own = c.config.differing_from(c.row->space.defaults());
  for (const auto& [name, value] : own.values()) text += fmt::format(" {}={}", name, to_string(value));
  return text;
}

// Returns two digits, or all digits before the point.
std::string factor_text(double factor) {
  return factor < 10 ? fmt::format("{:.2g}", factor) : fmt::format("{:.0f}", factor);
}

// Returns why a contender lost to the winner: the ratio of their times, as iterations times the time of one.
std::string why_text(const Contender& c, const Contender& winner) {
  if (&c == &winner) return "fastest";
  const double ratio = c.seconds() / winner.seconds();
  const std::string time = fmt::format("{:.2f} times the time", ratio);
  if (c.is_tie) return "a tie: not significantly slower";
  const int own = iterations_of(c), best = iterations_of(winner);
  if (own == 0 || best == 0) return time;
  if (own == best) return time + ", in as many iterations";
  const double iterations = double(own) / best;
  return fmt::format("{}: {} times the iterations, each {} times as long", time, factor_text(iterations),
                     factor_text(ratio / iterations));
}

using Line = std::vector<std::string>;

// Returns the lines with columns of equal width, two blanks apart. Columns of numbers are set to the right.
std::string columns(const std::vector<Line>& lines, std::size_t numbers) {
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const Line& line : lines)
    for (std::size_t n = 0; n < line.size(); ++n) widths[n] = std::max(widths[n], line[n].size());
  std::string text;
  for (const Line& line : lines) {
    std::string row;
    for (std::size_t n = 0; n < line.size(); ++n)
      row += n < numbers ? fmt::format("  {:>{}}", line[n], widths[n])
                         : fmt::format("  {:<{}}", line[n], widths[n]);
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

// Returns why a contender has no place in the table.
std::string reason_text(const Contender& c) {
  if (!c.record) return c.why_no_record();
  if (!c.record->is_ok()) return fmt::format("{}: {}", c.record->result.status, c.record->result.reason);
  return fmt::format("true residual {} after {} iterations, above the tolerance", residual_text(c),
                     iterations_of(c));
}

std::string names_text(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t n = 0; n < std::min(names.size(), most_names); ++n)
    text += (text.empty() ? "" : ", ") + names[n];
  return names.size() <= most_names ? text : fmt::format("{} and {} more", text, names.size() - most_names);
}

std::string absent_text(const RaceResult& result) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;  // in the order of the contenders
  std::map<std::string, std::size_t> index;
  for (const Contender& c : result.contenders) {
    if (c.is_verified()) continue;
    const std::string reason = reason_text(c);
    const auto [at, is_new] = index.try_emplace(reason, reasons.size());
    if (is_new) reasons.push_back({reason, {}});
    const Config own = c.c.config.differing_from(c.c.row->space.defaults());
    reasons[at->second].second.push_back(row_name(*c.c.row, c.c.device) +
                                         (own.empty() ? "" : ":" + own.text()));
  }
  if (reasons.empty()) return "";
  std::string text = "\nnot in the table\n";
  for (const auto& [reason, names] : reasons) text += fmt::format("  {}: {}\n", reason, names_text(names));
  return text;
}

}  // namespace

std::string answer_table(const RaceResult& result) {
  std::vector<Line> lines = {{"time", "interval", "iterations", "true residual", "memory", "solver",
                              "backend", "precision", "method", "why"}};
  for (const Contender& c : result.contenders)
    if (c.is_verified())
      lines.push_back({seconds_text(c.seconds()), interval_text(c), std::to_string(iterations_of(c)),
                       residual_text(c), memory_text(c), c.c.row->name,
                       std::string(to_string(c.c.row->backend)), std::string(to_string(c.c.row->precision)),
                       method_text(c.c), why_text(c, result.contenders.front())});
  constexpr std::size_t numbers = 5;
  return (lines.size() > 1 ? columns(lines, numbers) : "") + absent_text(result);
}

std::string winner_text(const RaceResult& result) {
  const Contender& winner = result.contenders.front();
  std::size_t ties = 0, slower = 0;
  for (const Contender& c : result.contenders) ties += c.is_verified() && c.is_tie, slower += c.is_verified();
  slower -= std::max<std::size_t>(ties, 1);
  return fmt::format("answer: {} on {} in {} by {}, {}{}\n  {}\n", winner.c.row->name,
                     to_string(winner.c.row->backend), to_string(winner.c.row->precision),
                     method_text(winner.c), seconds_text(winner.seconds()),
                     ties > 1     ? fmt::format("; {} others are as fast within the noise", ties - 1)
                     : slower > 0 ? fmt::format("; {} others are slower", slower)
                                  : "",
                     solve_command(winner.c));
}

}  // namespace cfdmark
