// What the tunes of one command share: a worker, the file of records, and what this machine says it is.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/measure/roof.hpp"
#include "bench/record/records.hpp"
#include "bench/run/ask_worker.hpp"
#include "bench/run/interruption.hpp"
#include "bench/run/progress.hpp"
#include "bench/run/supervisor.hpp"

namespace cfdmark::tuning {

struct TuneOptions;

class TuneSession {
 public:
  // Writes nothing yet, and starts no worker.
  explicit TuneSession(const TuneOptions&);

  Supervisor& supervisor() { return supervisor_; }
  double seconds() const;  // since it was made
  const WorkersTime& time_of_workers() const { return supervisor_.time(); }
  // Has device code of later tunes compiled while this one measures.
  void compile_meanwhile(const std::vector<Case>&);
  // Whether what was asked for is not done: no more can be asked for then.
  bool is_compiling();
  const Interruption& interruption() const { return interruption_; }
  // Appends to the file of records, which the first opens. Throws WriteError if that one cannot be written:
  // nothing was measured by then. What the file cannot take later is told once and left out, and so is all
  // after it: an answer is worth more than its records.
  void keep(const Json& record, Progress&);
  // Waits until what was kept is on the disk.
  void sync();
  // Why records are missing from the file; empty if none are.
  const std::string& unwritten() const { return unwritten_; }

  // What the machine is, without its roofs; asked once. Null if `keep_going` stopped the question. Throws
  // std::runtime_error if the machine cannot say.
  const Json& description(const KeepGoing& keep_going);
  // The environment line with the roof of this key, or without any: each is measured once and written once.
  // There is a description.
  Json environment(const RoofKey* key, const KeepGoing& keep_going, Progress& progress);

 private:
  double start_;
  std::string output_;
  Interruption interruption_;
  std::unique_ptr<RecordWriter> writer_;
  std::string unwritten_;
  std::vector<std::string> worker_;
  double timeout_of_configs_;  // to say what a machine is may take longer: one with many GPUs takes seconds
  Supervisor supervisor_;
  std::unique_ptr<WorkerProcess> compiling_;
  Json description_;
  std::map<std::string, Json> environments_;  // the lines that were written, by roof_name
};

}  // namespace cfdmark::tuning
