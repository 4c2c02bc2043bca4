// Runs the cases of a sweep as benchmarks of Google Benchmark.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cfdmark {

struct GbenchRequest {
  std::string sweep = "sweeps/gbench.yaml";
  std::optional<int> device;       // CUDA device; none: the sweep's
  std::vector<std::string> flags;  // of Google Benchmark
};

// Runs the benchmarks. Returns an exit status.
int run_gbench(const GbenchRequest&);

}  // namespace cfdmark
