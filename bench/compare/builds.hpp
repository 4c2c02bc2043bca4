// Compares two builds, which are measured in alternation.
#pragma once

#include <optional>
#include <string>

#include "bench/case/case_filter.hpp"
#include "bench/compare/comparison.hpp"
#include "bench/worker/progress.hpp"

namespace cfdmark::compare {

struct BuildsOptions {
  std::string base, now;  // build folders
  std::string sweep;
  std::string filter;            // pattern for case names; see CaseFilter
  std::optional<double> budget;  // seconds for the whole comparison; none: no limit
  double case_seconds = 0.03;    // sampling time of a case per round, in seconds
  double timeout = 600;          // limit of one preparation, verification or sample, in seconds
  int most_rounds = 120;         // each round runs one process per side
  std::string keep;              // folder for the records of all rounds; empty: none
  CompareSettings settings;
};

struct Compared {
  Comparison comparison;
  Side base, now;
  bool interrupted = false;
};

// Each round runs base, new, and base again as the control. After some rounds the cases are judged, and only
// undecided ones are measured further. It ends when none remains, after most_rounds, when the budget ends, or
// when the user interrupts. Throws std::invalid_argument for unusable builds or sweeps, WriteError if records
// cannot be kept.
Compared compare_builds(const BuildsOptions& options, Progress& progress);

}  // namespace cfdmark::compare
