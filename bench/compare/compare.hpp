// One comparison for a user: reads or measures two sides, compares them, and writes the outcome.
#pragma once

#include <string>
#include <vector>

#include "bench/compare/builds.hpp"

namespace cfdmark::compare {

struct ComparisonRequest {
  std::vector<std::string> inputs, outputs, thresholds;
  std::string format, gbench;
  std::string time = "auto";  // time of Google Benchmark that counts: auto, cpu, real
  BuildsOptions builds;
  // Sweep to measure if none is named. The new build is then that of this program, unless named. Empty: both
  // are required.
  std::string usual_sweep;
};

// Compares two files of results, two folders of them, or two builds on a sweep, and writes the outcome.
// Returns the exit status. Errors are reported here, since their status must differ from every verdict's.
int compare_or_complain(ComparisonRequest request);

}  // namespace cfdmark::compare
