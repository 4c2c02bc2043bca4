// What the subcommands that measure have in common: options, a dry run, the last words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/commands/commands.hpp"
#include "bench/run/run.hpp"

namespace cfdmark {

// The options as they were given. RunOptions holds those that need no reading.
struct RunChoices {
  std::string filter, budget, timeout = "10m";
  bool dry_run = false, no_roofs = false;
  double interval_percent = 2;
  RunOptions options;
};

// Adds --filter, --budget, --dry-run, --fresh, --case-seconds, --interval, --timeout and --no-roofs.
// `whole`: what the budget is for.
void add_run_choices(CLI::App& command, RunChoices& choices, const std::string& whole);

// Adds --device N. `device` stays empty where it is not given.
void add_device_choice(CLI::App& command, std::optional<int>& device);

// The options of a run, without its file. Throws std::invalid_argument for times that cannot be read.
RunOptions read_choices(const RunChoices& choices);

// The cases whose names have a match of a regular expression; all if it is empty. Throws
// std::invalid_argument if it is none.
std::vector<Case> only_matching(std::vector<Case> cases, const std::string& filter);

void print_dry(const std::vector<Case>& cases, const RunOptions& options);
void print_summary(const RunSummary& summary, const RunOptions& options);

int exit_status(const RunSummary& summary);

}  // namespace cfdmark
