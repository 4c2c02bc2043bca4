// The worker: the process that touches devices. Its supervisor (run.hpp) may lose it and start another.
//
// The supervisor asks, one request at a time:
//   {"request": "describe"}         -> {"event": "description", "environment": ...}
//   {"request": "stand_by", "backend", "device"}: nothing is kept any more, and that device is started
//   {"request": "roof", "key": ...}                              -> {"event": "roof", "roofs": [...]}
//   {"request": "limits", "key": ..., "arithmetic", "memory"}    -> {"event": "limits", "limits": [...]}
//   {"request": "compile", "cases": [...], "seconds", "meanwhile"}: device code, as much as can be begun in
//   that time; behind all other work if another process measures meanwhile
//   {"request": "run", "cases": [...], "seconds", "interval", "environment", "again"}
//   {"request": "sample", "cases": [...], "samples", "environment", "instructions": whether to count them,
//    "again", "within"}             verified in another process, or of each case whether; seconds
//    (workbench.hpp)
//                                   -> a record of each case, in any order: the line as it will be written
// and {"event": "out_of_time"} where some have none because of `within`;
// and after each of these comes {"event": "done", "seconds": at each stage (stage.hpp)}; or {"event":
// "failed", "reason"}, after which the worker ends; or
// {"event": "device_lost", "reason"}, likewise. A worker whose supervisor is gone ends.
#pragma once

#include <vector>

#include "bench/catalog/case.hpp"
#include "bench/measure/roof.hpp"
#include "bench/record/json.hpp"

namespace cfdmark {

// Descriptors that a worker finds open when it starts.
inline constexpr int worker_channel_fd = 3, worker_blackboard_fd = 4;

// Serves until the channel is closed. Cases are looked up in `rows`. Returns the process's exit status.
int worker_main(const std::vector<Row>& rows);

Json to_message(const Case&);
// Throws std::runtime_error if `rows` has no such row.
Case case_from_message(const Json&, const std::vector<Row>& rows);
Json to_message(DeviceId);
DeviceId device_id_from_message(const Json&);
Json to_message(const RoofKey&);
RoofKey roof_key_from_message(const Json&);

}  // namespace cfdmark
