// Tunes one after the other, of a list of kernels and solvers or of a whole device, with one budget.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/tune/job.hpp"

namespace cfdmark::tuning {

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
