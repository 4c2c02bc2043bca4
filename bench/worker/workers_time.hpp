// Breakdown of the supervisor's wall time.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "bench/measure/stage.hpp"

namespace cfdmark {

// All times are in seconds.
struct WorkersTime {
  double waiting = 0;                      // waiting for workers: answers, start-up, switching
  std::array<double, stages.size()> at{};  // part of it, by the worker's stage
  double lost = 0;                         // part of it, in requests during which the worker ended
  std::array<int, stages.size()> ended{};  // number of workers lost, by stage
};

// Returns, for example, "time: 1:05, 40 % measuring, 25 % verifying, ..." for a total of `all` seconds.
// `rest` names the time not spent waiting.
std::string time_text(double all, const WorkersTime&, std::string_view rest);

}  // namespace cfdmark
