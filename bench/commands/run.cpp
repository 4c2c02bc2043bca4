// cfdmark run: measures the cases of a sweep.
#include "bench/run.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <regex>

#include "bench/commands/commands.hpp"
#include "bench/duration.hpp"
#include "bench/gbench_json.hpp"
#include "bench/run_plan.hpp"
#include "bench/sweep.hpp"

namespace cfdmark {
namespace {

constexpr const char* notes = R"(examples:
  cfdmark run sweeps/quick.yaml
  cfdmark run sweeps/quick.yaml --dry-run
  cfdmark run sweeps/poisson.yaml --filter '/cuda/fp64' --budget 10m
  cfdmark run sweeps/quick.yaml --fresh --output out/after.jsonl

Killed or interrupted, the same command goes on where it stopped: cases that are in the file with a result are not
measured again, those that crashed, hung or could not run are tried again. exit status: 0 all is well; 1 a case gave
a wrong answer, crashed or hung; 2 a wrong option or bad input; 3 a file could not be written; 130 interrupted.)";

struct Wishes {
  std::string sweep, filter, budget, timeout = "10m", gbench;
  bool dry_run = false, no_roofs = false;
  double interval_percent = 2;
  RunOptions options;
};

std::vector<Case> only_matching(std::vector<Case> cases, const std::string& filter) {
  if (filter.empty()) return cases;
  try {
    const std::regex wanted(filter);
    std::erase_if(cases, [&](const Case& c) { return !std::regex_search(case_name(c), wanted); });
  } catch (const std::regex_error&) {
    throw std::invalid_argument(fmt::format("--filter '{}' is no regular expression", filter));
  }
  if (cases.empty())
    throw std::invalid_argument(
        fmt::format("--filter '{}' leaves no case; --dry-run without it lists their names", filter));
  return cases;
}

void print_dry(const std::vector<Case>& cases, const RunOptions& options) {
  std::size_t runnable = 0;
  for (const Case& c : cases) {
    fmt::print("{}{}\n", case_name(c), c.not_run.empty() ? "" : fmt::format("  [not run: {}]", c.not_run));
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

int run_sweep(Wishes& wishes) {
  RunOptions& options = wishes.options;
  options.interval = wishes.interval_percent / 100;
  options.measure_roofs = !wishes.no_roofs;
  options.timeout = duration_from(wishes.timeout);
  if (!wishes.budget.empty()) options.budget = duration_from(wishes.budget);
  if (options.output.empty())
    options.output = fmt::format("out/{}.jsonl", std::filesystem::path(wishes.sweep).stem().string());

  const std::vector<Case> cases = only_matching(read_sweep(wishes.sweep).cases, wishes.filter);
  if (wishes.dry_run) {
    print_dry(cases, options);
    return exit_ok;
  }
  Progress progress(stderr);
  const RunSummary summary = run(cases, options, progress);
  print_summary(summary, options);
  if (!wishes.gbench.empty()) write_gbench_json(options.output, cases, wishes.gbench);
  return summary.interrupted ? exit_interrupted : summary.some_went_wrong() ? exit_went_wrong : exit_ok;
}

}  // namespace

void add_run(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("run", "measures the cases of a sweep and appends their records to a file");
  auto wishes = std::make_shared<Wishes>();
  RunOptions& options = wishes->options;
  command->add_option("SWEEP", wishes->sweep, "a sweep file, such as sweeps/quick.yaml")->required();
  command->add_option("--output", options.output, "file of records; default: out/SWEEP.jsonl")
      ->type_name("FILE");
  command->add_option("--filter", wishes->filter, "only cases whose name has a match")->type_name("REGEX");
  command
      ->add_option("--budget", wishes->budget,
                   "time for the whole run, shared among its cases: 90s, 10m, 1h30m")
      ->type_name("TIME");
  command->add_flag("--dry-run", wishes->dry_run, "list the cases and measure nothing");
  command->add_flag("--fresh", options.fresh, "start anew; the file is kept as FILE.bak");
  command->add_option("--case-seconds", options.case_seconds, "time that the samples of a case may take")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--interval", wishes->interval_percent,
                   "stop a case when the 95 % confidence interval of its median is within this of it")
      ->type_name("PERCENT")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--timeout", wishes->timeout,
                   "time after which one preparation, verification or sample is given up")
      ->type_name("TIME")
      ->capture_default_str();
  command->add_flag("--no-roofs", wishes->no_roofs,
                    "do not measure the bandwidth first; records have no fraction of it");
  command
      ->add_option("--gbench", wishes->gbench,
                   "also write all records of the sweep as Google Benchmark writes its own")
      ->type_name("FILE");
  command->footer(notes);
  command->callback([wishes, &status] { status = run_sweep(*wishes); });
}

}  // namespace cfdmark
