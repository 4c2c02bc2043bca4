// Time by routine: a routine is a named part of an iteration (apply, dot, update).
//
// Each is timed by itself, from idle to idle on the backend's own clock (CUDA events on a device). That costs
// launches their overlap, so that a solve that is timed by routine is never timed as a whole.
#pragma once

#include <algorithm>
#include <functional>

#include "kernels/backends/backend.hpp"
#include "solvers/core/outcome.hpp"

namespace cfdmark {

class RoutineClock {
 public:
  void start() { on_ = true, times_.clear(); }
  void stop() { on_ = false; }
  bool is_on() const { return on_; }
  const std::vector<RoutineTime>& times() const { return times_; }  // in the order of the first calls

  void time(const std::string& routine, Backend& backend, const std::function<void()>& work) {
    const double seconds = backend.seconds(work);
    auto at = std::find_if(times_.begin(), times_.end(), [&](const auto& t) { return t.name == routine; });
    if (at == times_.end()) at = times_.insert(at, {routine});
    at->seconds += seconds;
    ++at->calls;
  }

 private:
  bool on_ = false;
  std::vector<RoutineTime> times_;
};

}  // namespace cfdmark
