#include "bench/runs/run_sweep.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "bench/catalog/device_choice.hpp"
#include "bench/record/records.hpp"
#include "bench/sweep/sweep.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/text/printable.hpp"
#include "bench/tuned/tuned_lookup.hpp"
#include "bench/worker/ask_worker.hpp"
#include "bench/worker/data_files.hpp"
#include "bench/worker/findings.hpp"
#include "bench/worker/python_script.hpp"
#include "bench/worker/shard.hpp"

namespace cfdmark {
namespace {

// Each shard has a file of its own, since several may run at once in one folder.
std::string default_output(const std::string& sweep, const Shard& shard) {
  const std::string name = std::filesystem::path(sweep).stem().string();
  return shard.count == 1 ? fmt::format("out/{}.jsonl", name)
                          : fmt::format("out/{}.{}-of-{}.jsonl", name, shard.index, shard.count);
}

// Applies tuned configs to the cases that request them. A worker describes the machine, since this process
// uses no device.
void resolve_tuned(std::vector<Case>& cases, const RunOptions& options) {
  if (std::none_of(cases.begin(), cases.end(), [](const Case& c) { return c.tuned.wanted; })) return;
  Json environment;
  Supervisor worker(options.worker, options.timeout);
  const Answer answer = ask_for_description(worker, environment, [](const std::string&) { return true; });
  if (environment.is_null())
    throw std::runtime_error(fmt::format("cannot look up tuned configs: {}", answer.reason));
  tuning::use_tuned_configs(cases, tuning::read_usual_tuned_tables(), environment,
                            [](const std::string& warning) { fmt::print(stderr, "cfdmark: {}\n", warning); });
  fmt::print(stderr, "tuned configs: {}\n", tuning::tuned_matches_text(cases));
}

// Warns once about each grid that does not suit its problem's geometry.
void warn_of_grids(const std::vector<Case>& cases) {
  std::set<std::string> warnings;
  for (const Case& c : cases)
    if (c.row->family && c.domain.is_grid())
      if (const auto& warning = find_problem(*c.row->family, c.workload.choice("problem"))->grid_warning)
        warnings.insert(warning(c.domain.box()));
  for (const std::string& warning : warnings)
    if (!warning.empty()) fmt::print(stderr, "cfdmark: {}\n", warning);
}

// Prints a summary of these cases' records, and the next command.
void print_findings(const std::vector<Case>& cases, const RunOptions& options) {
  std::set<std::string> asked;
  for (const Case& c : cases) asked.insert(case_name(c));
  std::map<std::string, Record> newest;
  for (const Json& line : read_records(options.output).lines)
    if (line.at("type") == "record" && asked.contains(line.at("case")))
      newest[line.at("case")] = record_from_json(line);
  std::vector<Record> records;
  for (auto& [_, record] : newest) records.push_back(std::move(record));
  fmt::print("\n{}\nnext: cfdmark report {}\n", findings_text(records), printable(options.output));
}

// `records` is the result file of the run.
void write_for_others(const SweepRequest& given, const std::vector<Case>& cases, const std::string& records) {
  if (given.gbench.empty() && given.action.empty()) return;
  std::vector<std::string> names;
  for (const Case& c : cases) names.push_back(case_name(c));
  const std::vector<Json> lines = read_records(records).lines;
  if (!given.gbench.empty()) write_gbench(lines, names, given.gbench);
  if (!given.action.empty()) write_gbench(lines, names, given.action, "smaller-is-better");
}

}  // namespace

int run_sweep(const SweepRequest& given) {
  RunOptions options = given.choices.options;
  const Shard shard = shard_from(given.shard);
  if (options.output.empty()) options.output = default_output(given.sweep, shard);

  std::vector<Case> sweep = read_sweep(sweep_path(given.sweep)).cases;
  use_device(sweep, given.device);
  sweep = only_matching(std::move(sweep), given.choices.filter);
  if (sweep.empty())
    throw std::invalid_argument(
        fmt::format("no case matches --filter '{}'; --dry-run without it lists the names. Settings have a "
                    "fixed order in names: separate patterns by spaces, as in '/cuda/ @512x512 threads=2'",
                    given.choices.filter));
  std::vector<Case> cases = cases_of(sweep, shard);
  options.sweep = sweep_facts(sweep, shard);
  for (Case& c : cases) c.routines |= given.routines;
  resolve_tuned(cases, options);  // after sharding, which must not depend on the machine
  warn_of_grids(cases);
  if (given.choices.dry_run) {
    print_dry(cases, options);
    return exit_ok;
  }
  Progress progress(stderr);
  const RunSummary summary = run(cases, options, progress);
  if (cases.empty())
    fmt::print("{}: shard {} has no case: cases measured together stay together and make fewer parts\n",
               printable(options.output), given.shard);
  else
    print_summary(summary, options);
  if (isatty(fileno(stdout)) && !cases.empty()) print_findings(cases, options);
  write_for_others(given, cases, options.output);
  return exit_status(summary);
}

}  // namespace cfdmark
