// Runs `cfdmark tune`: one tune, several, or a check of tuned tables.
#pragma once

#include <string>

#include "bench/tune/tune.hpp"
#include "bench/tune/tune_rows.hpp"

namespace cfdmark {

struct TuneRequest {
  AskedTune asked;
  std::string against;  // layout to compare with; empty: none
  std::string page;     // page of layouts to write; empty: the default with `asked.all`, else none
  std::string objective = "time";
  bool retune = false;  // of several jobs: also those with a current answer
  tuning::TuneOptions options;
};

// Tunes, prints the answers, and returns an exit status. Throws what jobs_from() and tuning::tune() throw.
int run_tune(TuneRequest);

// Returns the settings of the named kernels and solvers: those of their workloads as options, those of their
// methods with the values of a search. Without a name: how to see them. Throws std::invalid_argument for an
// unknown name.
std::string tune_settings_help(const AskedTune&);

}  // namespace cfdmark
