// Tunes one after the other, of a list of kernels and solvers or of a whole device, with one budget.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/tune/tune.hpp"
#include "bench/tune/tuned_table.hpp"

namespace cfdmark::tuning {

// One kernel or solver in one precision, on grids of one dimension.
struct TuneJob {
  std::vector<TuneSubject> subjects;
  std::string scope = "all";  // TuneOptions::scope

  const Row& row() const { return *subjects.front().methods.front(); }
};
// "jacobi/cuda/fp64 on 128x128 to 8192x8192"
std::string job_name(const TuneJob&);

// How many configs there are to try, by the lists of values and without regard to constraints, those of
// solvers and of several steps at once four times; no more than 2000 of a grid count.
double job_weight(const TuneJob&);

// Whether the device's table answers a job: with the source as it is now, for each of its grids, by more than
// a few configs, but those that were found to have none that works.
bool is_answered(const TuneJob&, const TuneOptions&, const std::vector<Json>& entries);

struct JobResult {
  enum class End {
    answered,
    known,       // the table has answered it
    no_choice,   // there are not two configs to choose from
    went_wrong,  // `reason` says how
    left         // the budget was over, or the device lost, before it was answered
  };
  End end = End::left;
  std::string reason;
  std::optional<TuneResult> result;  // of an answered one
  double seconds = 0;
};

struct JobsOptions {
  TuneOptions tune;    // of every job; its budget is for all of them, its scope is theirs
  bool fresh = false;  // also what is answered already
};

// Told of jobs by their places in the list.
struct JobListener {
  // Those that the table has answered, before any other is begun.
  std::function<void(const std::vector<std::size_t>&)> known;
  // One of the others, as soon as it has ended.
  std::function<void(std::size_t job, const JobResult&)> ended;
};

// Runs them in order, but last those that the table answers in part, and returns how each ended. Layouts that
// tables of other devices have for a grid are measured beside the answers. Where each grid is for itself
// (TuneOptions::each_alone) nothing is skipped, and what is measured beside is what this device's tables
// answer there, or the default. What is interrupted is left. Throws what tune() throws, but what concerns one
// job alone.
std::vector<JobResult> run_jobs(const std::vector<TuneJob>&, const JobsOptions&, TuneSession&, Progress&,
                                const JobListener&);

}  // namespace cfdmark::tuning
