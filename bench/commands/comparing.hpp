// The common part of `cfdmark compare` and `cfdmark gate`: compares two sides and sets the exit status.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "bench/compare/builds.hpp"

namespace cfdmark {

struct ComparisonRequest {
  std::vector<std::string> inputs, outputs, thresholds;
  std::string format, gbench;
  std::string time = "auto";  // time of Google Benchmark that counts: auto, cpu, real
  compare::BuildsOptions builds;
  // Sweep to measure if none is named. The new build is then that of this program, unless named. Empty: both
  // are required.
  std::string usual_sweep;
};

// Exit statuses of both commands, for the end of --help.
inline constexpr const char* comparison_exit_statuses = R"(

exit status: 0 no regression; 1 a case is slower, another quantity is worse, or with --strict a case is
undecided; 2 nothing was compared: no case runs on both sides, an invalid option or input, sides that are not
comparable, or a file that could not be written;
3 undecided, and nothing worse; 4 a case has a wrong result, crashed or is missing, whatever else;
130 interrupted.)";

// Adds the options of both commands. The values in `request` are the defaults.
void add_comparison_options(CLI::App& command, ComparisonRequest& request);

// Compares two files of results, two folders of them, or two builds on a sweep, and writes the outcome.
// Returns the exit status. Errors are reported here, since their status must differ from every verdict's.
int compare_or_complain(ComparisonRequest& request);

}  // namespace cfdmark
