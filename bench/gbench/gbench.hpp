// Runs cases as benchmarks of Google Benchmark, in this process.
#pragma once

#include <string>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/text/json.hpp"

namespace cfdmark {

// Registers each case under its identifier and runs those that Google Benchmark's `flags` select. A case is
// verified before its first step; one that cannot run is skipped with its reason. Time is that of the
// backend's clock ("manual time").
// The context of the output has facts of `environment` (describe_environment). Returns true if every result
// was correct. Throws std::invalid_argument for an unknown flag, and if the flags select no benchmark;
// WriteError if the file of --benchmark_out cannot be written.
bool run_google_benchmark(const std::vector<Case>&, const Json& environment,
                          const std::vector<std::string>& flags);

}  // namespace cfdmark
