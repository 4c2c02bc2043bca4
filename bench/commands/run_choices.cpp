#include "bench/commands/run_choices.hpp"

#include <fmt/format.h>

#include "bench/catalog/case_filter.hpp"
#include "bench/sweep/duration.hpp"

namespace cfdmark {

void add_run_choices(CLI::App& command, RunChoices& choices, const std::string& whole) {
  RunOptions& options = choices.options;
  command
      .add_option("--filter", choices.filter,
                  "only cases whose name, whole or as --dry-run shows it, has a match")
      ->type_name("REGEX");
  command
      .add_option("--budget", choices.budget,
                  fmt::format("time for {}, shared among its cases: 90s, 10m, 1h30m", whole))
      ->type_name("TIME");
  command.add_flag("--dry-run", choices.dry_run, "list the cases and measure nothing");
  command.add_flag("--fresh", options.fresh, "start anew; the file is kept as FILE.bak");
  command.add_option("--case-seconds", options.case_seconds, "time that the samples of a case may take")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      .add_option("--interval", choices.interval_percent,
                  "stop a case when the 95 % confidence interval of its median is within this of it")
      ->type_name("PERCENT")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      .add_option("--timeout", choices.timeout,
                  "time after which one preparation, verification or sample is given up")
      ->type_name("TIME")
      ->capture_default_str();
  command.add_flag("--no-roofs", choices.no_roofs,
                   "do not measure the bandwidth first; records have no fraction of it");
}

void add_device_choice(CLI::App& command, std::optional<int>& device) {
  command.add_option("--device", device, "which CUDA device, as `cfdmark devices` counts them (default: 0)")
      ->type_name("N");
}

RunOptions read_choices(const RunChoices& choices) {
  RunOptions options = choices.options;
  options.interval = choices.interval_percent / 100;
  options.measure_roofs = !choices.no_roofs;
  options.timeout = duration_from(choices.timeout);
  if (!choices.budget.empty()) options.budget = duration_from(choices.budget);
  return options;
}

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
      "{} cases: {} to measure, {} cannot run here; their samples take {} at most, preparing and verifying "
      "besides\n",
      cases.size(), runnable, cases.size() - runnable, clock_text(seconds));
}

void print_summary(const RunSummary& summary, const RunOptions& options) {
  std::string text;
  for (const auto& [status, count] : summary.measured)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, status);
  if (summary.done_before > 0)
    text += fmt::format("{}{} recorded before", text.empty() ? "" : ", ", summary.done_before);
  fmt::print("{}: {}\n", options.output, text.empty() ? "nothing to measure" : text);
  if (summary.left > 0)
    fmt::print("{} cases are left: the same command goes on with them{}\n", summary.left,
               summary.interrupted ? "" : " (the budget is over)");
  if (summary.measured.empty() && summary.left == 0)
    fmt::print("every case is recorded already; --fresh measures anew\n");
}

int exit_status(const RunSummary& summary) {
  return summary.interrupted ? exit_interrupted : summary.some_went_wrong() ? exit_went_wrong : exit_ok;
}

}  // namespace cfdmark
