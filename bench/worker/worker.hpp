// The process that uses the devices. Its supervisor (supervisor.hpp) replaces it if it ends.
//
// The supervisor sends one request at a time:
//   {"request": "describe"}                                      -> {"event": "description", "environment"}
//   {"request": "stand_by", "backend", "device"}: frees all cases and initialises the device
//   {"request": "roof", "key"}                                   -> {"event": "roof", "roofs": [...]}
//   {"request": "limits", "key", "arithmetic", "memory"}         -> {"event": "limits", "limits": [...]}
//   {"request": "compile", "cases": [...], "seconds", "meanwhile"}: compiles device code for that time, with
//     `meanwhile` at lowest priority, since another process measures
//   {"request": "run", "cases": [...], "seconds", "interval", "environment", "again"}
//   {"request": "sample", "cases": [...], "samples", "environment", "instructions", "again", "within"}
//     -> one record per case, in any order, as it will be written; measurement_session.hpp explains the
//     arguments
//     -> {"event": "out_of_time"} if `within` ended before all cases had a record
// Each request ends with {"event": "done", "seconds": by stage (stage.hpp)}, or with {"event": "failed",
// "reason"} or {"event": "device_lost", "reason"}, after which the worker ends. It also ends when its
// supervisor does.
//
// `compare --base` sends the same messages to workers of other builds, so their keys do not change: a case's
// workload is `question`.
#pragma once

#include <vector>

#include "bench/case/case.hpp"
#include "bench/measure/roof.hpp"
#include "bench/text/json.hpp"

namespace cfdmark {

// Descriptors that the supervisor opens for a worker.
inline constexpr int worker_channel_fd = 3, worker_status_fd = 4;

// Serves requests until the channel is closed, with cases from `rows`. Returns the exit status of the
// process.
int worker_main(const std::vector<Row>& rows);

Json to_message(const Case&);
// Throws std::runtime_error if `rows` has no such row.
Case case_from_message(const Json&, const std::vector<Row>& rows);
Json to_message(DeviceId);
DeviceId device_id_from_message(const Json&);
Json to_message(const RoofKey&);
RoofKey roof_key_from_message(const Json&);

}  // namespace cfdmark
