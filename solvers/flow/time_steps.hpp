// The number and length of fixed time steps.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "kernels/core/config.hpp"
#include "solvers/flow/saved_flow.hpp"

namespace cfdmark {

inline const Setting end_time =
    real_setting("end_time", 0, {Range::Kind::real, 0}, "end time of the flow; 0: until it is steady");

// Steps of the requested length, or slightly shorter ones that end exactly at end_time.
struct TimeSteps {
  double length;
  int count = 0;  // 0: unlimited

  // `origin` names the source of that length in messages.
  TimeSteps(double wanted, const Config& config, const std::string& origin) : length(wanted) {
    const double end = config.real(end_time.name);
    if (end <= 0) return;
    const double steps = std::max(1.0, std::ceil(end / length - 1e-9));
    if (!(steps < std::numeric_limits<int>::max()))
      throw std::invalid_argument(fmt::format(
          "end_time={:g} needs {:.3g} time steps of {}, more than can be counted: use longer steps", end,
          steps, origin));
    count = int(steps);
    length = end / count;
  }

  // Steps that continue those of a saved flow: of the same length, until end_time.
  TimeSteps(const SavedFlow& saved, const Config& config) : length(saved.number("time_step")) {
    const double end = config.real(end_time.name);
    if (end > 0) count = int(std::ceil(remaining_time(saved, end) / length - 1e-9));
  }

  // Throws std::invalid_argument if none remains.
  static double remaining_time(const SavedFlow& saved, double end) {
    if (end - saved.time > 1e-9 * end) return end - saved.time;
    throw std::invalid_argument(fmt::format(
        "end_time={:g}: the saved flow is at time {:g} already; choose a later end_time", end, saved.time));
  }
};

}  // namespace cfdmark
