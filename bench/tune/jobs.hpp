// Runs several tunes in order with one budget: a list of kernels and solvers, or all of a device.
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
    known,       // the table has a current answer
    no_choice,   // fewer than two configs
    went_wrong,  // failed; see `reason`
    left         // not run: budget used up, device lost, or interrupted
  };
  End end = End::left;
  std::string reason;
  std::optional<TuneResult> result;  // only if answered
  double seconds = 0;
};

struct JobsOptions {
  TuneOptions tune;     // options of every job; the budget is the total, the scope is ignored
  bool retune = false;  // true to tune jobs with a current answer too
};

// Callbacks with indices into the list of jobs.
struct JobListener {
  // Called once before the first job, with the jobs that the table answers.
  std::function<void(const std::vector<std::size_t>&)> known;
  // Called after each other job.
  std::function<void(std::size_t job, const JobResult&)> ended;
};

// Runs the jobs in order, those answered in part last, and returns how each ended. Layouts that the tables of
// any device have for a grid are searched first and confirmed with the answers. With TuneOptions::each_alone
// no job is skipped, and only the layout from this device's tables, or the default, is confirmed with the
// best. Interrupted jobs are returned as not run. Throws what tune() throws, except errors that concern one
// job.
std::vector<JobResult> run_jobs(const std::vector<TuneJob>&, const JobsOptions&, TuneSession&, Progress&,
                                const JobListener&);

}  // namespace cfdmark::tuning
