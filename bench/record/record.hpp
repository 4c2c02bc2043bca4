// A record: one case with its samples, its verification and the facts of its measurement. Each is a line of a
// result file, which results/schema/record.schema.json describes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/text/json.hpp"
#include "kernels/core/config.hpp"
#include "kernels/core/cost.hpp"
#include "kernels/core/statistics.hpp"
#include "kernels/core/step.hpp"

namespace cfdmark {

// The case of a record as text, since other programs name rows that this one may lack.
struct CaseId {
  std::string name;                                   // the identifier with the complete config and workload
  std::string label;                                  // name for people; empty if the record has none
  std::string kind, row, backend, precision, method;  // `row`: name of the kernel or solver
  std::optional<int> device;                          // index of its backend's device
  std::vector<int> grid;                              // empty on a mesh and for a matrix
  std::string mesh, matrix;                           // text of the domain; empty for another kind
  std::size_t nodes = 0;                              // 0: not stated
  Config config, workload;
  std::string tuned_match, tuned_device, tuned_grid;  // origin of the config, if from tuned tables
};

// Seconds outside the clock.
struct Overhead {
  double prepare = 0, verify = 0;
  std::optional<double> warm_up, reset;  // of a measured case
};

// Sizes that decide which cache holds the fields.
struct CacheUse {
  double working_set_bytes = 0;
  double last_level_bytes = 0;  // 0: unknown
};
// Returns "cache", "transition" or "memory"; empty if the cache is unknown.
std::string regime_of(const CacheUse&);

// The numbers that a process measured for a case. Nothing in it is derived from the samples.
struct CaseResult {
  std::string status = "ok";
  std::string reason;      // empty exactly if the status is ok
  std::string failure;     // "compile_error" for device code that does not compile, else empty
  ProcessSamples samples;  // seconds per step, by process; empty without a time
  int steps_per_sample = 1;
  std::string stopped_by;              // "interval", "budget", "rounds", "tuner" or "turns"
  int samples_in_turn = 0;             // in a comparison of builds, else 0
  std::vector<int> sample_iterations;  // of a solver, by sample
  std::optional<Cost> cost;
  std::optional<CacheUse> cache;
  std::optional<Overhead> overhead;
  std::string pci_bus_id;  // of a GPU
  // Objects that this program passes on as they are; null without one. The schema names their keys.
  Json verification, resources, memory, device_state, solver, energy, instructions, mesh_facts, ranks;
  bool fresh = true;  // the case was prepared for these samples; not written

  bool is_ok() const { return status == "ok"; }
  // Returns the total duration of all samples, in seconds.
  double sampled_seconds() const;
  std::size_t sample_count() const;
};

// Returns why a solver's samples are not repetitions of one work: they took different numbers of iterations.
// Empty if they are.
std::string work_difference(const CaseResult&);

// Numbers that follow from the samples, the cost and the roof.
struct DerivedTimes {
  MedianInterval step;  // seconds per step; confidence 0 without an interval
  std::optional<double> lups, bytes_per_second, roof_fraction;
  std::optional<double> time_per_iteration;  // of a solver, in seconds
};

struct Record {
  CaseId id;
  CaseResult result;
  std::string environment;              // id of its environment line
  std::string source;                   // hash of the code that decides how it runs; empty: not stated
  Json roof;                            // from the environment; null without one
  std::optional<DerivedTimes> derived;  // present exactly if there are samples
  double over_plain = 0;                // speedup over plain that the sweep expects; 0: none stated
  Json tuning;                          // the search that measured it; null without one
  int round = 0;                        // of a comparison of builds; 0: none
  Json unknown = Json::object();        // members that this program does not know

  bool is_ok() const { return result.is_ok(); }
  // Returns the name for people.
  const std::string& label() const { return id.label.empty() ? id.name : id.label; }

  // Computes all derived numbers. Call it after changing samples, cost or roof. A solver whose samples took
  // different numbers of iterations fails and loses its time.
  void derive();
  // Adds the samples and overheads of another process that measured the same case.
  void add_process(const CaseResult&);
  // Replaces the roof of a record with a time, unless `better` is null.
  void set_roof(const Json& better);
};

// Keys are written in the order of results/README.md.
Json to_json(const Record&);
// Reads a line that the schema accepts. Throws Json::exception for a value of another type.
Record record_from_json(const Json& line);

// Returns the samples of an ok record by process, in seconds per step. None if they are missing or the counts
// do not match, since other programs may have written it. A record without counts has one process.
std::optional<ProcessSamples> process_samples(const Json& line);

// Parts of a record that the message of a worker has in the same form.
Json cost_json(const Cost&);
Json cache_json(const CacheUse&);
Json overhead_json(const Overhead&);
Json resources_json(const Resources&);
// Sets cost, cache and overhead from the members of these names, as far as there are any.
void read_sizes(const Json& object, CaseResult&);

}  // namespace cfdmark
