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
  void start() { on_ = true, times_.clear(), level_times_.clear(); }
  void stop() { on_ = false; }
  bool is_on() const { return on_; }
  const std::vector<RoutineTime>& times() const { return times_; }  // in the order of the first calls
  const std::vector<RoutineTime>& level_times() const { return level_times_; }

  // What is timed from here on is work on one of multigrid's grids, by this name; empty: on none.
  void at_level(const std::string& grid) { level_ = grid; }
  void time(const std::string& routine, Backend& backend, const std::function<void()>& work) {
    const double seconds = backend.seconds(work);
    add(times_, routine, seconds);
    if (!level_.empty()) add(level_times_, level_ + " " + routine, seconds, level_ + " ");
  }

 private:
  // A new one goes behind those that begin alike, or to the end.
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
