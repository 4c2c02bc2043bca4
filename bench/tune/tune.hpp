// A tune: searches the configs of one kernel or solver on some grids, says which to use, and keeps the
// answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/run/progress.hpp"
#include "bench/tune/device.hpp"
#include "bench/tune/space.hpp"
#include "tuning/selection.hpp"

namespace cfdmark::tuning {

struct TuneOptions {
  std::string output;         // the file of records, appended to
  std::string tuned_folder;   // where the answer is kept; empty: nowhere
  std::string scope = "all";  // the method that was asked for, or "all"
  std::string strategy = "racing";
  std::uint64_t seed = 1;
  std::optional<double> budget;           // seconds for everything, shared among the grids
  int samples = SearchOptions().samples;  // that settle a config
  double timeout = 60;                    // seconds that one preparation, verification or sample may take
  bool measure_roof = true;
  std::vector<std::string> worker = {"/proc/self/exe", "worker"};
};

// The winner of a search beside the default, in processes that know nothing of the search: the samples that
// found the winner flatter it, and one process has one place in memory for each.
struct Confirmation {
  ProcessSamples fallback, winner;  // seconds a step
};

// What one search found, with everything that speaks for it.
struct TuneAnswer {
  TuneSpace space;
  std::vector<Evaluation> evaluations;
  std::vector<Json> records;  // the last of each candidate; null if it was not tried
  std::optional<Selection> choice;
  std::optional<Confirmation> confirmation;  // none where the default won, or has no time
  double seconds = 0;
};

struct TuneResult {
  std::vector<TuneAnswer> answers;  // one a grid
  TuningDevice device;
  Json environment;    // the environment line
  std::string table;   // the file that was updated; empty if none was
  std::string unkept;  // why the answers could not be kept there
  bool interrupted = false;
};

// `subjects`: the same kernel or solver on each grid. Throws std::invalid_argument for a space without a
// config or a budget that ends before one config is measured; std::runtime_error if no config works, or the
// device does not answer any more; WriteError.
TuneResult tune(const std::vector<TuneSubject>& subjects, const TuneOptions& options, Progress& progress);

// The entry of the tuned table for an answer (tuned_entry.cpp).
Json tuned_entry(const TuneResult&, const TuneAnswer&, const TuneOptions&);

}  // namespace cfdmark::tuning
