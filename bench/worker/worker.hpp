// The process that uses the devices. Its supervisor (supervisor.hpp) replaces it if it ends.
//
// The supervisor sends one request at a time:
//   {"request": "describe"}                          -> {"event": "description", "protocol", "environment"}
//   {"request": "stand_by", "backend", "device"}: frees all cases and initialises the device
//   {"request": "roof", "key"}                       -> {"event": "roof", "roofs": [...]}
//   {"request": "limits", "key", "arithmetic", "memory"} -> {"event": "limits", "limits": [...]}
//   {"request": "links"} -> {"event": "links", "links": [...]}
//   {"request": "compile", "catalog", "cases": [...], "seconds", "meanwhile"}: compiles device code for that
//     time, with `meanwhile` at lowest priority, since another process measures
//   {"request": "run", "catalog", "cases": [...], "seconds", "interval", "again"}, also with "timeout", the
//     supervisor's limit
//   {"request": "sample", "catalog", "cases": [...], "samples", "instructions", "again", "within",
//     "solve_seconds"}
//     -> {"event": "result", "index": of the case in the request, ...} for each case, in any order;
//     measurement_session.hpp explains the arguments
//     -> {"event": "out_of_time"} if `within` ended before all cases had a result
// A case names its row by its index in the catalog; `catalog` is the hash of all its names (worker_rows.hpp).
// Each request ends with {"event": "done", "seconds": by stage (stage.hpp)}, or with {"event": "failed",
// "reason"} or {"event": "device_lost", "reason"}, after which the worker ends. It also ends when its
// supervisor does.
//
// `compare --base` sends the same messages to workers of other builds: worker_protocol (messages.hpp) numbers
// their form.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "bench/case/case.hpp"

namespace cfdmark {

// Descriptors that the supervisor opens for a worker.
inline constexpr int worker_channel_fd = 3, worker_status_fd = 4;

// How a worker waits for processes that it has started for a case.
struct ProcessWait {
  double limit;                       // seconds
  std::function<void()> still_waits;  // called several times a second: the supervisor sees that it works
};
// Prepares a case whose ranks are processes.
using PrepareProcesses = std::function<std::unique_ptr<Workload>(const Case&, const ProcessWait&)>;

// Serves requests until the channel is closed, with cases from `rows`. Returns the exit status of the
// process. `processes`: null for a worker without cases on processes.
int worker_main(const std::vector<Row>& rows, const PrepareProcesses& processes = nullptr);

}  // namespace cfdmark
