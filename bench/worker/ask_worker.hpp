// Sends requests to a worker. They describe the machine, measure its ceilings (roofs: memory bandwidth;
// limits: cache bandwidth and arithmetic), compile device code, and measure cases.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/measure/step_ceilings.hpp"
#include "bench/record/record.hpp"
#include "bench/worker/supervisor.hpp"

namespace cfdmark {

// Called several times a second with a description such as "measuring copy/..."; false stops the work.
using KeepGoing = std::function<bool(const std::string& what)>;

// Stores the worker's environment in `description`, unless the request fails. A worker of another protocol
// fails it.
Answer ask_for_description(Supervisor&, Json& description, const KeepGoing&);

// Returns the entries of the environment's `roofs` for this key. None if measuring failed; `note` then gets
// the reason.
Json ask_for_roof(Supervisor&, const RoofKey&, const KeepGoing&,
                  const std::function<void(const std::string&)>& note);

// Returns the entries of the environment's `limits` for this key, likewise.
Json ask_for_limits(Supervisor&, const LimitsKey&, const KeepGoing&,
                    const std::function<void(const std::string&)>& note);

// Returns the request that prepares a process to measure on this device later (Supervisor::prestart).
Json request_to_stand_by(DeviceId);

// Compiles the device code of the cases into the cache, starting jobs for at most `seconds`. The worker ends
// if the compiler crashes.
Answer ask_to_compile(Supervisor&, const std::vector<Case>&, double seconds, const KeepGoing&);
// Compiles the same in a low-priority process until it is destroyed, without waiting for it.
std::unique_ptr<WorkerProcess> compile_meanwhile(const std::vector<std::string>& worker, const WorkerRows&,
                                                 const std::vector<Case>&);

struct CaseListener {
  std::function<void(std::size_t index, CaseResult)> result;  // called once for each case
  KeepGoing keep_going;
  int milliseconds_between_looks = 200;  // time between two calls of keep_going
};

// Measures cases, at least one. `request` is "run" or "sample" with its arguments (worker.hpp) except the
// cases.
// A worker that ends costs one case. The answer names it as `culprit`, and it gets the failure as its result
// unless it has one. After `done` all cases have a result, unless the request's time limit `within` ended
// before. After any other answer except `stopped` at least one case has a result.
Answer ask_for_cases(Supervisor&, Json request, const std::vector<Case>& cases, const CaseListener&);

}  // namespace cfdmark
