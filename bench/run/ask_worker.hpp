// What a worker is asked for: what the machine is, its roofs and limits, and records of cases.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/catalog/case.hpp"
#include "bench/measure/limits.hpp"
#include "bench/run/supervisor.hpp"

namespace cfdmark {

// Called several times a second with what is done, "measuring copy/..."; false stops it.
using KeepGoing = std::function<bool(const std::string& what)>;

// The environment as the worker finds it, in `description`; it stays as it is unless the answer is done.
Answer ask_for_description(Supervisor&, Json& description, const KeepGoing&);

// The entries of the environment's `roofs` for this key; none if it could not be measured, and `note` is told
// why.
Json ask_for_roof(Supervisor&, const RoofKey&, const KeepGoing&,
                  const std::function<void(const std::string&)>& note);

// The same of the environment's `limits`.
Json ask_for_limits(Supervisor&, const LimitsKey&, const KeepGoing&,
                    const std::function<void(const std::string&)>& note);

// For a process that is to measure on this device later (Supervisor::let_stand_by).
Json request_to_stand_by(DeviceId);

// Has the cases' device code compiled into the cache, as much as can be begun within `seconds`; the worker
// ends where compiling ends it.
Answer ask_to_compile(Supervisor&, const std::vector<Case>&, double seconds, const KeepGoing&);
// The same in a process that nobody waits for, until it is destroyed: it gives way to all that measures.
std::unique_ptr<WorkerProcess> compile_meanwhile(const std::vector<std::string>& worker,
                                                 const std::vector<Case>&);

struct CaseListener {
  std::function<void(std::size_t index, const Json& record)> record;  // of each case
  KeepGoing keep_going;
};

// There is at least one case. `request`: "run" or "sample" with what belongs to it (worker.hpp) but the
// cases. A worker that ends costs one case: the one at which it ended gets a record that says so, if it has
// none, and the answer names it as the `culprit`. Of an answer that is done every case has a record, unless
// the request's `within` was over; of any other that was not stopped at least one has.
Answer ask_for_cases(Supervisor&, Json request, const std::vector<Case>& cases, const CaseListener&);

}  // namespace cfdmark
