// A run: measures the cases of a sweep in a worker process and writes their records. This process touches no
// device, so that whatever happens there costs one case.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/catalog/case.hpp"
#include "bench/record/json.hpp"
#include "bench/run/progress.hpp"
#include "bench/run/workers_time.hpp"

namespace cfdmark {

struct RunOptions {
  std::string output;            // the file of records; goes on with what it holds
  bool fresh = false;            // keep that as FILE.bak, FILE.bak.2, ... and start again
  double case_seconds = 1;       // that the samples of a case may take
  double interval = 0.02;        // half-width of the median's interval that is narrow enough
  int processes = 2;             // that measure each case, one after the other
  std::optional<double> budget;  // seconds for the whole run, shared among the cases
  double timeout = 600;          // seconds that one preparation, verification or sample may take
  bool measure_roofs = true;
  Json known_roofs = Json::array();  // what the run before this one has measured, and need not be again
  Json known_limits = Json::array();
  Json sweep;      // what the environment line says of the sweep (shard.hpp); null: nothing
  int losses = 3;  // of a device in a row, after which its backend is given up
  std::vector<std::string> worker = {"/proc/self/exe", "worker"};
};

struct RunSummary {
  std::map<std::string, std::size_t> measured;  // cases of this run by status
  std::size_t unconverged = 0;                  // of them those whose solver did not reach its tolerance
  std::size_t done_before = 0;                  // recorded by an earlier run
  std::size_t in_fewer_processes = 0;           // than asked for, for the same reasons
  std::size_t left = 0;                         // because the budget was over or somebody stopped the run
  std::size_t wrong =
      0;  // asked cases whose newest record, of whatever run, is a wrong answer, crash or hang
  bool interrupted = false;
  double seconds = 0;                                  // that the run took
  double ceilings_seconds = 0;                         // of it, that roofs and limits took
  WorkersTime workers;                                 // of it
  Json roofs = Json::array(), limits = Json::array();  // known now
};

// Throws WriteError if a record cannot be written, std::runtime_error if no worker can be started.
RunSummary run(const std::vector<Case>& cases, const RunOptions& options, Progress& progress);

}  // namespace cfdmark
