// The parts of a record (results/README.md), each built where its facts are known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/text/json.hpp"
#include "kernels/core/cost.hpp"
#include "kernels/core/statistics.hpp"
#include "kernels/core/step.hpp"

namespace cfdmark {

// The name of its case for people: `label`, or the whole name.
std::string label_of(const Json& record);

Json time_json(const ProcessSamples&, int steps_per_sample, const std::string& stopped_by);
// Returns the samples of an ok record by process, in seconds per step. None if they are missing or the counts
// do not match, since other programs may have written it. A record without counts has one process.
std::optional<ProcessSamples> process_samples(const Json& record);
// Returns the total duration of all samples of an ok record, in seconds.
double sampled_seconds(const Json& record);
// Replaces the samples of an ok record, with the same steps per sample, and everything derived from their
// median.
void set_samples(Json& record, const ProcessSamples&, const std::string& stopped_by);
// Adds the samples and overheads of another process's record of the same case.
void add_process(Json& record, const Json& again);
// Appends the iteration counts of another solver record's samples.
void add_sample_iterations(Json& record, const Json& again);
// Marks a solver's record as failed if its samples made different numbers of iterations than it states.
void fail_if_work_differs(Json& record);
Cost cost_of(const Json& record);
Json cost_json(const Cost&);
// Computes the rate from the median. `roof` is the record's roof or null.
Json rate_json(const Cost&, double median, const Json& roof);
Json cache_json(double working_set_bytes, double last_level_bytes);
Json resources_json(const Resources&);

}  // namespace cfdmark
