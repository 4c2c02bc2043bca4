// The parts of a record (results/README.md), each made where its facts are known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/catalog/case.hpp"
#include "bench/catalog/workload.hpp"
#include "bench/record/json.hpp"
#include "kernels/core/statistics.hpp"

namespace cfdmark {

// The name of its case for people: `label`, or the whole name.
std::string label_of(const Json& record);

// Which case it is, and how it ended. `reason` is empty for ok and for nothing else.
Json record_of(const Case&, const std::string& status, const std::string& reason);

Json time_json(const ProcessSamples&, int steps_per_sample, const std::string& stopped_by);
// The samples of a record that is ok, seconds a step. Nothing if it has none, or counts others than it has:
// somebody else may have written it. A record that does not count processes has one.
std::optional<ProcessSamples> process_samples(const Json& record);
// Seconds that all samples of a record that is ok took.
double sampled_seconds(const Json& record);
// Puts these samples, each of as many steps as before, in a record that is ok, and what follows from their
// median.
void set_samples(Json& record, const ProcessSamples&, const std::string& stopped_by);
// Adds the samples of another process's record of the same case, with what went on outside the clock.
void add_process(Json& record, const Json& again);
// Appends the iterations of another record's samples to those of a solver's.
void add_sample_iterations(Json& record, const Json& again);
// Turns a solver's record whose samples did not all make the iterations that it names into one that failed.
void fail_if_work_differs(Json& record);
Cost cost_of(const Json& record);
Json cost_json(const Cost&);
// From the median; `roof` is the record's roof or null.
Json rate_json(const Cost&, double median, const Json& roof);
Json cache_json(double working_set_bytes, double last_level_bytes);
Json verification_json(const Verification&);
Json resources_json(const Resources&);

}  // namespace cfdmark
