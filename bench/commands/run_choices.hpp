// Options, dry run and summary of the commands that measure.
#pragma once

#include <string>
#include <vector>

#include "bench/commands/commands.hpp"
#include "bench/worker/run.hpp"

namespace cfdmark {

// Command-line choices; the command adds the output file.
struct RunChoices {
  std::string filter;
  bool dry_run = false;
  RunOptions options;
};

// Adds --filter, --budget, --dry-run, --fresh, --case-seconds, --interval, --processes, --timeout and
// --no-roofs. `whole` says what the budget covers.
void add_run_choices(CLI::App& command, RunChoices& choices, const std::string& whole);

// Returns the cases whose names match a regular expression; all if it is empty. Throws std::invalid_argument
// if it is invalid.
std::vector<Case> only_matching(std::vector<Case> cases, const std::string& filter);

void print_dry(const std::vector<Case>& cases, const RunOptions& options);
void print_summary(const RunSummary& summary, const RunOptions& options);

int exit_status(const RunSummary& summary);

}  // namespace cfdmark
