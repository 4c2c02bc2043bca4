#include "bench/runs/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/case/case_filter.hpp"
#include "bench/text/duration.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/text/printable.hpp"

namespace cfdmark {
namespace {

// Returns the command that continues the run; --fresh would start from scratch.
std::string to_go_on(const RunOptions& options) {
  return options.fresh ? "the same command without --fresh" : "the same command";
}

// Returns a line for each reason, up to some.
std::string reasons_text(const std::map<std::string, std::size_t>& cases_by_reason) {
  constexpr std::size_t most = 5;
  std::string text;
  std::size_t lines = 0;
  for (const auto& [reason, cases] : cases_by_reason)
    if (lines++ < most) text += fmt::format("  {} case{}: {}\n", cases, cases == 1 ? "" : "s", reason);
  return lines <= most ? text : text + fmt::format("  and {} other reasons: see the records\n", lines - most);
}

}  // namespace

std::vector<Case> only_matching(std::vector<Case> cases, const std::string& filter) {
  const CaseFilter wanted(filter);
  std::erase_if(cases, [&](const Case& c) { return !wanted.lets_through(c); });
  return cases;
}

void print_dry(const std::vector<Case>& cases, const RunOptions& options) {
  std::size_t runnable = 0;
  for (const Case& c : cases) {
    fmt::print("{}{}{}\n", short_name(c),
               c.tuned.match.empty() ? "" : fmt::format("  [tuned: {}]", c.tuned.match),
               c.not_run.empty() ? "" : fmt::format("  [not run: {}]", c.not_run));
    runnable += c.not_run.empty();
  }
  double seconds = options.case_seconds * double(runnable);
  if (options.budget) seconds = std::min(seconds, *options.budget);
  fmt::print(
      "{} cases: {} to measure, {} cannot run here; sampling takes at most {}, preparation and verification "
      "come on top\n",
      cases.size(), runnable, cases.size() - runnable, clock_text(seconds));
}

void print_summary(const RunSummary& summary, const RunOptions& options) {
  std::string text;
  for (const auto& [status, count] : summary.measured)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, status);
  if (summary.done_before > 0)
    text += fmt::format("{}{} recorded earlier", text.empty() ? "" : ", ", summary.done_before);
  fmt::print("{}: {}\n", printable(options.output),
             !text.empty()      ? text
             : summary.left > 0 ? "nothing was measured"
                                : "nothing to measure");
  const bool nothing_ran = summary.measured.size() == summary.measured.count("not_run");
  if (nothing_ran && summary.left > 0 && !summary.interrupted)
    fmt::print("the budget ended before the first case{}; increase --budget\n",
               options.measure_roofs ? fmt::format("; measuring the ceilings took {}, which --no-roofs skips",
                                                   seconds_text(summary.ceilings_seconds))
                                     : "");
  if (nothing_ran && !summary.measured.empty())
    fmt::print("{} here:\n{}", summary.left > 0 ? "cannot run" : "no case can run",
               reasons_text(summary.why_not_run));
  if (summary.unsteady > 0)
    fmt::print(
        "{} of them are unsteady: the interval of the time is wider than the time; measure again on an "
        "idle machine\n",
        summary.unsteady);
  if (summary.unconverged > 0) fmt::print("{} of them did not converge\n", summary.unconverged);
  if (summary.left > 0)
    fmt::print("{} cases remain: {} continues with them{}\n", summary.left, to_go_on(options),
               summary.interrupted ? "" : " (the budget ended)");
  if (summary.in_fewer_processes > 0 && summary.left == 0)
    fmt::print("{} cases were measured in fewer than {} processes: {} continues with them\n",
               summary.in_fewer_processes, options.processes, to_go_on(options));
  if (summary.wrong > 0)
    fmt::print("the newest record of {} cases is a wrong result, an error, a crash or a timeout\n",
               summary.wrong);
  if (summary.measured.empty() && summary.left == 0)
    fmt::print("every case is recorded already; --fresh measures again\n");
  if (!summary.measured.empty())
    fmt::print("{}\n", time_text(summary.seconds, summary.workers, "reading and writing"));
}

int exit_status(const RunSummary& summary) {
  if (summary.interrupted) return exit_interrupted;
  if (summary.left > 0) return summary.wrong > 0 ? exit_wrong_and_left : exit_cases_left;
  return summary.wrong > 0 ? exit_went_wrong : exit_ok;
}

}  // namespace cfdmark
