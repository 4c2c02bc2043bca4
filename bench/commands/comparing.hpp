// What `cfdmark compare` and `cfdmark gate` share: two sides in, verdicts and an exit status out.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "bench/compare/builds.hpp"

namespace cfdmark {

struct ComparisonRequest {
  std::vector<std::string> inputs, outputs, thresholds;
  std::string format, gbench;
  std::string time = "auto";  // of Google Benchmark's the one that counts: auto, cpu, real
  compare::BuildsOptions builds;
  // Data file to measure where no sweep is named; the new build is then this program's unless one is named.
  // Empty: both must be named.
  std::string usual_sweep;
};

// Both end so; for the foot of --help.
inline constexpr const char* comparison_exit_statuses = R"(

exit status: 0 no regression; 1 a case is slower or uses more, or with --strict is undecided; 2 nothing was
compared: no case runs on both sides, a wrong option, bad input, sides that are not comparable, a file that
could not be written;
3 undecided, and nothing worse; 4 a case gave a wrong answer, crashed or is missing, whatever else;
130 interrupted.)";

// The options of both commands. A default is what `request` holds when they are added.
void add_comparison_options(CLI::App& command, ComparisonRequest& request);

// Compares two files of results or folders of them, or two builds on a sweep, and writes what was found.
// Returns the exit status; what fails is told here, since its status must not look like a verdict.
int compare_or_complain(ComparisonRequest& request);

}  // namespace cfdmark
