// Time by routine: a routine is a named part of an iteration, such as apply, dot or update.
//
// Each routine is timed alone, from idle to idle, by the backend's clock (CUDA events on a device). This
// removes the overlap of launches, so a solve that is timed by routine is never timed as a whole.
#pragma once

#include <algorithm>
#include <functional>

#include "kernels/device/backend.hpp"
#include "solvers/base/outcome.hpp"

namespace cfdmark {

class RoutineClock {
 public:
  void start() { on_ = true, times_.clear(), level_times_.clear(); }
  void stop() { on_ = false; }
  bool is_on() const { return on_; }
  const std::vector<RoutineTime>& times() const { return times_; }  // in the order of their first calls
  const std::vector<RoutineTime>& level_times() const { return level_times_; }

  // Attributes the routines that follow to the multigrid level with this grid. Empty: to no level.
  void at_level(const std::string& grid) { level_ = grid; }
  void time(const std::string& routine, Backend& backend, const std::function<void()>& work) {
    const double seconds = backend.seconds(work);
    add(times_, routine, seconds);
    if (!level_.empty()) add(level_times_, level_ + " " + routine, seconds, level_ + " ");
  }

 private:
  // Adds to the entry `name`. A new entry goes after the last one whose name starts with `group`, or to the
  // end.
  static void add(std::vector<RoutineTime>& times, const std::string& name, double seconds,
                  const std::string& group = "") {
    auto at = std::find_if(times.begin(), times.end(), [&](const auto& t) { return t.name == name; });
    if (at == times.end()) {
      const auto last = std::find_if(times.rbegin(), times.rend(),
                                     [&](const auto& t) { return t.name.starts_with(group); });
      at = times.insert(last == times.rend() ? times.end() : last.base(), {name});
    }
    at->seconds += seconds;
    ++at->calls;
  }

  bool on_ = false;
  std::vector<RoutineTime> times_, level_times_;
  std::string level_;
};

}  // namespace cfdmark
