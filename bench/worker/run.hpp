// Measures the cases of a sweep in worker processes and writes their records. This process, the supervisor,
// uses no device, so a crash ends a worker and costs one case.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/text/json.hpp"
#include "bench/worker/earlier_records.hpp"
#include "bench/worker/progress.hpp"
#include "bench/worker/worker_rows.hpp"
#include "bench/worker/workers_time.hpp"

namespace cfdmark {

struct RunOptions {
  std::string output;            // result file; earlier records in it count as done
  bool fresh = false;            // move earlier records to FILE.bak, FILE.bak.2, ... and start from scratch
  double case_seconds = 1;       // sampling time per case, in seconds
  double interval = 0.02;        // target half-width of the median's interval, relative to the median
  int processes = 2;             // number of successive processes that measure each case
  std::optional<double> budget;  // seconds for the whole run; none: no limit
  // True if the budget ends the run but does not shorten the sampling of a case.
  bool full_samples = false;
  int fewest_samples = 0;  // of a case in each process; 0: as the sampler decides
  RecordCounts counts;     // decides which earlier records count; null: those of this program and machine
  double timeout = 600;    // limit of one preparation, verification or sample, in seconds
  bool measure_roofs = true;
  // Entries that a run just before measured and that need not be measured again.
  Json known_roofs = Json::array();
  Json known_limits = Json::array();
  Json sweep;      // sweep entry of the environment line (shard.hpp); null: none
  int losses = 3;  // consecutive losses of a device after which it is given up
  std::vector<std::string> worker = {"/proc/self/exe", "worker"};
  const WorkerRows* worker_rows = nullptr;  // rows of the worker's catalog; null: of this program's
};

// Beginning of the reason of a case that was not run because its device was given up.
inline constexpr const char* device_was_lost = "the device was lost";

struct RunSummary {
  std::map<std::string, std::size_t> measured;     // number of cases of this run, by status
  std::map<std::string, std::size_t> why_not_run;  // number of cases of status not_run, by reason
  std::size_t unconverged = 0;                     // of these, cases whose solver did not converge
  std::size_t unsteady = 0;                        // of these, cases whose interval is wider than their time
  std::size_t done_before = 0;                     // recorded by an earlier run
  std::size_t in_fewer_processes = 0;              // cases measured in fewer processes than requested
  std::size_t left = 0;  // not measured because the budget ended or the run was stopped
  // Requested cases whose newest record, of any run, is a wrong result, crash or timeout.
  std::size_t wrong = 0;
  bool interrupted = false;
  bool device_given_up = false;                        // a device was lost too often
  double seconds = 0;                                  // duration of the run
  double ceilings_seconds = 0;                         // part of it spent on roofs and limits
  WorkersTime workers;                                 // breakdown of it
  Json roofs = Json::array(), limits = Json::array();  // entries known now
};

// Runs the cases. Throws WriteError if a record cannot be written, std::runtime_error if no worker can be
// started.
RunSummary run(const std::vector<Case>& cases, const RunOptions& options, Progress& progress);

}  // namespace cfdmark
