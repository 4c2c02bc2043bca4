// The environment of a run: the description of program and machine, other load, and the measured ceilings.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/measure/ceilings.hpp"
#include "bench/record/records.hpp"
#include "bench/worker/ask_worker.hpp"
#include "bench/worker/interruption.hpp"
#include "bench/worker/progress.hpp"
#include "bench/worker/run.hpp"

namespace cfdmark {

class RunEnvironment {
 public:
  // All references must outlive this object. `keep_going` stops the measurement of ceilings.
  RunEnvironment(const RunOptions&, Supervisor&, RecordWriter&, Progress&, const Interruption&,
                 KeepGoing keep_going);

  // Returns the description of program and machine, requested from a worker once. Throws std::runtime_error
  // if no worker answers.
  const Json& description();
  // Notes other load on the machine. Must be called before the run causes load itself.
  void look_at_load();
  // Measures the ceilings that the cases need and that are not known.
  void measure_ceilings(const std::vector<Case>&);
  // Measures the links of the GPUs, once, if a case uses several.
  void measure_links(const std::vector<Case>&);
  // Measures the memory bandwidth of hosts again, because it drifts during a run. Writes a line if it
  // changed.
  void measure_hosts_again(const std::vector<Case>&);
  // Returns true if the record's rate contradicts its roof, which is then measured again or marked unsound.
  bool doubts_roof(const Case& c, const Record& record) { return ceilings_.doubt(roof_key(c), record); }
  // Writes the environment line with all that is known now.
  void write();

  // Returns the line that records refer to; null before the first write().
  const Json& line() const { return line_; }
  Json roof_of(const Case& c) const { return ceilings_.find(roof_key(c)); }
  const Json& roofs() const { return ceilings_.entries(); }
  const Json& limits() const { return limits_; }

 private:
  void look_at_gpus();
  void note(const std::string& text) { progress_.note(text); }

  const RunOptions& options_;
  Supervisor& supervisor_;
  RecordWriter& writer_;
  Progress& progress_;
  const Interruption& interruption_;
  KeepGoing keep_going_;
  Json description_, load_, line_;  // null until known; `load_` is that of other programs at the start
  Ceilings ceilings_;
  Json limits_, links_;  // `links_` is null until measured
};

}  // namespace cfdmark
