// Parts that the measuring commands share: their options, a dry run, and the summary.
#pragma once

#include <string>
#include <vector>

#include "bench/worker/run.hpp"

namespace cfdmark {

// Choices of a user; each command adds the output file to the options.
struct RunChoices {
  std::string filter;
  bool dry_run = false;
  RunOptions options;
};

// Returns the cases whose names match a regular expression; all if it is empty. Throws std::invalid_argument
// if it is invalid.
std::vector<Case> only_matching(std::vector<Case> cases, const std::string& filter);

// Lists the cases, with how many can run and how long that takes.
void print_dry(const std::vector<Case>& cases, const RunOptions& options);
// Prints what a run has measured, and how to continue it.
void print_summary(const RunSummary& summary, const RunOptions& options);
// Returns the exit status of `run`.
int exit_status(const RunSummary& summary);

}  // namespace cfdmark
