// A tune: searches the configs of one kernel or solver on some grids, says which to use at which size, and
// keeps the answers.
#pragma once

#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/run/progress.hpp"
#include "bench/tune/aim.hpp"
#include "bench/tune/device.hpp"
#include "bench/tune/session.hpp"
#include "bench/tune/space.hpp"
#include "tuning/selection.hpp"
#include "tuning/size_ranges.hpp"

namespace cfdmark::tuning {

struct TuneOptions {
  std::string output;         // the file of records, appended to
  std::string tuned_folder;   // where the answer is kept; empty: nowhere
  std::string scope = "all";  // the method that was asked for, or "all"
  std::string strategy = "racing";
  std::uint64_t seed = 1;
  std::optional<double> budget;  // seconds for everything, shared among the grids
  Aim aim = Aim::time;
  bool one_answer = false;           // for all grids, by their weights
  bool each_alone = false;           // each grid is searched and measured for itself, and nothing is kept
  bool leave_out = false;            // grids on which nothing works are left out, and noted
  std::optional<Candidate> against;  // a fixed layout: tried at each grid, and the answers compared with it
  int samples = SearchOptions().samples;  // that settle a config
  double timeout = 60;                    // seconds that one preparation, verification or sample may take
  bool measure_roof = true;
  std::vector<std::string> worker = {"/proc/self/exe", "worker"};
  std::vector<std::string> worker_variables;  // NAME=VALUE, of its environment

  // Combinations of a method's values that are looked at (tune_space). Those of a flow solver are hundreds of
  // thousands: under a budget as many as it could measure at best.
  std::size_t most_combinations() const { return budget ? 1000 : std::numeric_limits<std::size_t>::max(); }
};

// The winner of a search beside the default, in processes that know nothing of the search: the samples that
// found the winner flatter it, and one process has one place in memory for each.
struct Confirmation {
  ProcessSamples fallback, winner;  // seconds a step
};

// What the search on one grid found, with everything that speaks for it.
struct TuneAnswer {
  TuneSpace space;
  double weight = 1;              // of this grid in a single answer
  std::vector<Candidate> beside;  // layouts from elsewhere that were measured with the finalists
  std::vector<Evaluation> evaluations;
  std::vector<Json> records;  // the last of each candidate; null if it was not tried
  // What fresh processes took, of each candidate that may be an answer here or at a neighbouring size.
  std::vector<ProcessSamples> fresh;
  std::optional<Selection> choice;           // for this grid alone
  std::optional<Confirmation> confirmation;  // none where the default won, or has no time
  double seconds = 0;
  // Of no grid that was asked for: some of what two neighbours found was measured between them (between.hpp).
  bool is_between = false;
};

// Which config to use on the grids `sizes.first` to `sizes.last` of the answers, and between them.
struct TuneRange {
  SizeRange sizes;
  Candidate winner;
  std::string regime;  // of the cache; empty where it is not known, or not one
};

struct TuneResult {
  std::vector<TuneAnswer> answers;  // one a grid, by its number of cells
  std::vector<TuneRange> ranges;    // empty where the tune was interrupted, or each grid was for itself
  std::vector<Grid> left_out;       // on which nothing can be tuned, or nothing works
  std::vector<Grid> left;           // whose time was over before one config was measured
  TuningDevice device;
  Json environment;    // the environment line
  std::string table;   // the file that was updated; empty if none was
  std::string unkept;  // why the answers could not be kept there, or the records are not all in their file
  bool interrupted = false;
};

// What a config of one grid takes of what the tune weighs, beside the default, and what that costs in time.
struct AimedSize {
  std::optional<double> winner, fallback;  // joules or bytes a cell
  double over_least_time = 1;              // its time over the least of all that fresh processes measured
};
AimedSize aimed_size(const TuneAnswer&, const Candidate& winner, Aim);

// A budget that was over before anything could be measured.
struct BudgetOver : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// `subjects`: the same kernel or solver on each grid. Throws std::invalid_argument for a space without a
// config, or to be chosen by energy where none can be read, for grids of which some are planes and some are
// not, for a layout to compare with that cannot run on one of them; BudgetOver; std::runtime_error if no
// config works; DeviceLost if the device does not answer any more; WriteError.
TuneResult tune(const std::vector<TuneSubject>& subjects, const TuneOptions& options, TuneSession& session,
                Progress& progress);
TuneResult tune(const std::vector<TuneSubject>& subjects, const TuneOptions& options, Progress& progress);

// The entry of the tuned table for a range (tuned_entry.cpp).
Json tuned_entry(const TuneResult&, const TuneRange&, const TuneOptions&);

}  // namespace cfdmark::tuning
