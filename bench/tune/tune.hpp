// A tune: searches the configs of one kernel or solver on several grids, chooses one for each range of sizes,
// and saves the answers.
#pragma once

#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/tune/objective.hpp"
#include "bench/tune/session.hpp"
#include "bench/tune/space.hpp"
#include "bench/tuned/device.hpp"
#include "bench/worker/progress.hpp"
#include "bench/worker/worker_rows.hpp"
#include "tuning/selection.hpp"
#include "tuning/size_ranges.hpp"

namespace cfdmark::tuning {

struct TuneOptions {
  std::string output;         // record file, appended to
  std::string tuned_folder;   // where the answer is saved; empty: nowhere
  std::string scope = "all";  // the requested method, or "all"
  std::string strategy = "racing";
  std::uint64_t seed = 1;
  std::optional<double> budget;  // seconds in total, shared among the grids
  Objective objective = Objective::time;
  bool one_answer = false;  // one answer for all grids, by their weights
  // True to search and confirm each grid alone, and save nothing.
  bool each_alone = false;
  // True to skip grids on which no config works, with a note.
  bool leave_out = false;
  std::optional<Candidate> against;       // layout to try on each grid and compare with
  int samples = SearchOptions().samples;  // samples per config
  double timeout = 60;                    // seconds per preparation, verification or sample
  bool measure_roof = true;
  std::vector<std::string> worker = {"/proc/self/exe", "worker"};
  std::vector<std::string> worker_variables;  // NAME=VALUE
  const WorkerRows* worker_rows = nullptr;    // rows of the worker's catalog; null: of this program's

  // Most combinations of a method's values to consider (tune_space). Flow solvers have hundreds of thousands;
  // under a budget at most about 1000 can be measured.
  std::size_t most_combinations() const { return budget ? 1000 : std::numeric_limits<std::size_t>::max(); }
};

// Samples of the winner and the default from processes that did not search. The samples that selected the
// winner are biased in its favour, and the memory placement of one process is a single draw.
struct Confirmation {
  ProcessSamples fallback, winner;  // seconds per step
};

// Result of the search on one grid, with its evidence.
struct TuneAnswer {
  TuneSpace space;
  double weight = 1;              // weight of this grid in a single answer
  std::vector<Candidate> beside;  // layouts from elsewhere to confirm
  std::vector<Evaluation> evaluations;
  std::vector<Json> records;  // last record by candidate; null if not tried
  // Samples of confirming processes, for candidates that may be an answer here or at a neighbouring size.
  std::vector<ProcessSamples> fresh;
  std::optional<Selection> choice;           // choice for this grid alone
  std::optional<Confirmation> confirmation;  // empty if the default won or has no time
  double seconds = 0;
  // True for a grid that was not requested: candidates of two neighbours were measured between them
  // (between.hpp).
  bool is_between = false;
};

// The config to use on the grids `sizes.first` to `sizes.last` of the answers, and between them.
struct TuneRange {
  SizeRange sizes;
  Candidate winner;
  std::string regime;  // cache regime; empty if unknown or not the same at all sizes
};

struct TuneResult {
  std::vector<TuneAnswer> answers;  // one per grid, sorted by cells
  std::vector<TuneRange> ranges;    // empty if interrupted, or with `each_alone`
  std::vector<Grid> left_out;       // grids on which no config is valid or works
  std::vector<Grid> left;           // grids whose time ended before one config was measured
  TuningDevice device;
  Json environment;    // environment line
  std::string table;   // updated file; empty if none
  std::string unkept;  // error in saving the answers or writing the records
  bool interrupted = false;
};

// Energy or memory of the winner and the default on one grid, and the cost in time.
struct ObjectiveSize {
  std::optional<double> winner, fallback;  // joules or bytes per cell
  double over_least_time = 1;              // winner's time over the least time of the confirming processes
};
ObjectiveSize objective_size(const TuneAnswer&, const Candidate& winner, Objective);

// Thrown if the budget ends before anything was measured.
struct BudgetOver : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// Tunes one kernel or solver on the grids of `subjects`. Throws std::invalid_argument for a space without a
// config, an objective of energy without a counter, a mix of 2-D and 3-D grids, or a layout to compare with
// that is not valid on one of them; BudgetOver; std::runtime_error if no config works; DeviceLost if the
// device stops responding; WriteError.
TuneResult tune(const std::vector<TuningTarget>& targets, const TuneOptions& options, TuneSession& session,
                Progress& progress);
TuneResult tune(const std::vector<TuningTarget>& targets, const TuneOptions& options, Progress& progress);

// Returns the entry of the tuned table for a range (tuned_entry.cpp).
Json tuned_entry(const TuneResult&, const TuneRange&, const TuneOptions&);

}  // namespace cfdmark::tuning
