#include "bench/commands/comparison_options.hpp"

#include <fmt/format.h>

#include "bench/commands/options.hpp"

namespace cfdmark {
namespace {

using namespace compare;

void add_statistics(CLI::App& command, ComparisonRequest& given) {
  CompareSettings& settings = given.builds.settings;
  add_percent(command, "--effect", settings.rule.smallest_effect, "smallest change of time that matters")
      ->check(CLI::Range(0.1, 1000.0));
  add_percent(command, "--widest-same", settings.rule.widest_same,
              "widest bound within which an undecided case may end as the same; 0: it stays undecided")
      ->check(CLI::Range(0.0, 1000.0));
  add_percent(command, "--false-discoveries", settings.rule.false_discoveries,
              "tolerated share of slower and faster verdicts that are due to chance")
      ->check(CLI::Range(1e-6, 50.0));
  add_value(command, "--threshold", "NAME=PERCENT", given.thresholds,
            "smallest change of another quantity that matters: registers, spills, occupancy, field_memory, "
            "host_memory, iterations, instructions");
  command
      .add_option("--seed", settings.seed,
                  "seed for the order of the builds in a round and for the bootstrap")
      ->capture_default_str();
  command.add_flag("--strict", settings.strict, "treat undecided as a failure: exit status 1 instead of 3");
  command.add_flag("--force", settings.force,
                   "compare in spite of different devices, configs or schemas, with a warning");
}

void add_measuring(CLI::App& command, BuildsOptions& builds) {
  add_value(command, "--base", "BUILD_DIR", builds.base, "build folder to compare with");
  add_value(command, "--new", "BUILD_DIR", builds.now, "build folder to judge");
  add_time(command, "--budget", builds.budget,
           fmt::format("time limit for measuring two builds, such as 90s or 4m (default: {})",
                       builds.budget ? fmt::format("{:g}s", *builds.budget) : "none"));
  add_value(command, "--case-seconds", "SECONDS", builds.case_seconds, "sampling time of a case in one round")
      ->check(is_positive);
  add_value(command, "--rounds", "N", builds.most_rounds, "maximum number of rounds")
      ->check(CLI::Range(1, 10000));
  add_timeout(command, builds.timeout);
  add_value(command, "--keep", "FOLDER", builds.keep, "folder for the records of every round");
}

}  // namespace

void add_comparison_options(CLI::App& command, ComparisonRequest& given) {
  add_value(command, "--filter", "REGEX", given.builds.filter,
            "select cases by name, in full or as the table shows it; all of several patterns separated "
            "by spaces must match");
  add_measuring(command, given.builds);
  add_statistics(command, given);
  add_value(command, "--time", "WHICH", given.time,
            "time of Google Benchmark to compare: auto, cpu or real; auto means CPU time unless the "
            "benchmark's name contains real_time or manual_time")
      ->check(CLI::IsMember({"auto", "cpu", "real"}));
  add_value(command, "--format", "NAME", given.format,
            "table, markdown, junit, github or json (default: table)");
  add_value(command, "--output", "FILE", given.outputs,
            "output file; may be repeated, formats then follow from .md .xml .json, else table");
  add_value(command, "--gbench", "PREFIX", given.gbench,
            "also write PREFIX.base.json and PREFIX.new.json for Google Benchmark's compare.py");
}

}  // namespace cfdmark
