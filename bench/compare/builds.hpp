// Comparing two builds that are measured in turns.
#pragma once

#include <optional>
#include <string>

#include "bench/catalog/case_filter.hpp"
#include "bench/compare/comparison.hpp"
#include "bench/run/progress.hpp"

namespace cfdmark::compare {

struct BuildsOptions {
  std::string base, now;  // build folders
  std::string sweep;
  std::string filter;            // of case names; see CaseFilter
  std::optional<double> budget;  // seconds
  double case_seconds = 0.03;    // that the samples of a case may take in a round
  double timeout = 600;          // seconds that one preparation, verification or sample may take
  int most_rounds = 120;         // each a process of each side
  std::string keep;              // folder for the records of all rounds; empty: none
  CompareSettings settings;
};

struct Compared {
  Comparison comparison;
  Side base, now;
  bool interrupted = false;
};

// Every round runs base, new, and base again as the control. After some rounds it looks, and goes on with
// what is undecided, until nothing is, the budget is over, or somebody interrupts. Throws
// std::invalid_argument for builds and sweeps that cannot be used, WriteError if records cannot be kept.
Compared compare_builds(const BuildsOptions& options, Progress& progress);

}  // namespace cfdmark::compare
