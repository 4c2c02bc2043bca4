// Runs a sweep for a user: selects its cases, measures them, prints a summary, and writes the requested
// files.
#pragma once

#include <optional>
#include <string>

#include "bench/runs/run_summary.hpp"

namespace cfdmark {

struct SweepRequest {
  std::string sweep, shard = "1/1";
  std::string gbench, action;  // files for Google Benchmark and github-action-benchmark; empty: none
  std::optional<int> device;
  bool routines = false;
  RunChoices choices;
};

// Returns the exit status.
int run_sweep(const SweepRequest&);

}  // namespace cfdmark
