// Measures published experiments again. The cases of an experiment are the sweep sweeps/reproduce/ID.yaml, or
// the sweeps named by `measured_with`; results/published/ID.yaml holds the published values. run() measures;
// scripts/cfdmark reproduce compares the records with the publication.
#pragma once

#include <string>
#include <vector>

#include "bench/runs/run_summary.hpp"

namespace cfdmark {

struct ReproduceRequest {
  std::vector<std::string> ids;                    // or beginnings of them up to a hyphen, such as normore
  std::vector<std::string> records;                // files or folders of kept records: nothing is measured
  std::string figures;                             // formats of figures, separated by commas; empty: none
  std::string folder = "out/reproduce", backends;  // backends: separated by commas; empty: all
  bool list = false, all = false;
  RunChoices choices;
};

// Measures the experiments and writes their pages, or lists them. Returns the exit status.
int reproduce(const ReproduceRequest&);

}  // namespace cfdmark
