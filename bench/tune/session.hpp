// Shared by the tunes of one command: a worker, the record file, and the description of this machine.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/measure/roof.hpp"
#include "bench/record/records.hpp"
#include "bench/worker/ask_worker.hpp"
#include "bench/worker/interruption.hpp"
#include "bench/worker/progress.hpp"
#include "bench/worker/supervisor.hpp"

namespace cfdmark::tuning {

struct TuneOptions;

class TuneSession {
 public:
  // Neither writes nor starts a worker.
  explicit TuneSession(const TuneOptions&);

  Supervisor& supervisor() { return supervisor_; }
  // Returns the seconds since construction.
  double seconds() const;
  const WorkersTime& time_of_workers() const { return supervisor_.time(); }
  // Compiles device code of later tunes in another process while this one measures.
  void compile_meanwhile(const std::vector<Case>&);
  // Returns true while that process is busy; it then accepts no more cases.
  bool is_compiling();
  const Interruption& interruption() const { return interruption_; }
  // Appends to the record file, which the first call opens. Throws WriteError if the first record cannot be
  // written: nothing was measured by then. A later failure is reported once, and all further records are
  // dropped, because the answer matters more than its records.
  void keep(const Json& record, Progress&);
  // Waits until the records are on disk.
  void sync();
  // Returns why records are missing from the file; empty if complete.
  const std::string& unwritten() const { return unwritten_; }

  // Returns the description of the machine without its roofline, queried once. Null if `keep_going` stopped
  // the query. Throws std::runtime_error if the query fails.
  const Json& description(const KeepGoing& keep_going);
  // Returns the environment line with the ceiling for this key, or without any. Each ceiling is measured once
  // and each line written once. Requires description().
  Json environment(const RoofKey* key, const KeepGoing& keep_going, Progress& progress);

 private:
  double start_;
  std::string output_;
  Interruption interruption_;
  std::unique_ptr<RecordWriter> writer_;
  std::string unwritten_;
  std::vector<std::string> worker_;
  double timeout_of_configs_;  // device queries may take longer: seconds with many GPUs
  Supervisor supervisor_;
  std::unique_ptr<WorkerProcess> compiling_;
  Json description_;
  std::map<std::string, Json> environments_;  // written lines, by roof_name
};

}  // namespace cfdmark::tuning
