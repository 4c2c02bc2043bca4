// What the subcommands that measure have in common: options, a dry run, a summary.
#pragma once

#include <string>
#include <vector>

#include "bench/commands/commands.hpp"
#include "bench/run/run.hpp"

namespace cfdmark {

// What was chosen on the command line; the file of the run is the subcommand's.
struct RunChoices {
  std::string filter;
  bool dry_run = false;
  RunOptions options;
};

// Adds --filter, --budget, --dry-run, --fresh, --case-seconds, --interval, --timeout and --no-roofs.
// `whole`: what the budget is for.
void add_run_choices(CLI::App& command, RunChoices& choices, const std::string& whole);

// The cases whose names have a match of a regular expression; all if it is empty. Throws
// std::invalid_argument if it is none.
std::vector<Case> only_matching(std::vector<Case> cases, const std::string& filter);

void print_dry(const std::vector<Case>& cases, const RunOptions& options);
void print_summary(const RunSummary& summary, const RunOptions& options);

int exit_status(const RunSummary& summary);

}  // namespace cfdmark
