// The number and length of fixed time steps.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "kernels/core/config.hpp"

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
};

}  // namespace cfdmark
