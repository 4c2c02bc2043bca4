// Cases whose ranks are processes, as a worker measures them: it starts the processes and sends them commands
// (rank_worker.hpp).
#pragma once

#include <memory>
#include <string>

#include "bench/case/case.hpp"
#include "bench/worker/worker.hpp"

namespace cfdmark {

class RankJobs;

// Jobs of ranks of one worker. Cases with as many ranks and threads share a job; its processes sleep while
// other cases are measured. A job whose rank is killed, hangs or fails alone costs the case that ran on it:
// the others are prepared again on new processes.
class RankWorkloads {
 public:
  // `launcher`: as in launcher_words; empty: the default.
  explicit RankWorkloads(std::string launcher);

  // Prepares a case on its processes. A command that takes longer than the worker's limit ends them. Throws
  // std::invalid_argument if the case does not run on these ranks, RanksFailure if its processes end.
  std::unique_ptr<Workload> prepare(const Case&, const ProcessWait&);

 private:
  std::shared_ptr<RankJobs> jobs_;
};

}  // namespace cfdmark
