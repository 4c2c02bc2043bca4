// Where the time of who asks workers went.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "bench/run/stage.hpp"

namespace cfdmark {

// In seconds.
struct WorkersTime {
  double waiting = 0;                      // for workers: that they answer, begin or come to rest
  std::array<double, stages.size()> at{};  // of it, what they were at
  double lost = 0;                         // and with requests at which they ended
  std::array<int, stages.size()> ended{};  // such workers, by what they were at
};

// "time: 1:05, 40 % measuring, 25 % verifying, ...": of `all` seconds. `beside`: what else they went with.
std::string time_text(double all, const WorkersTime&, std::string_view beside);

}  // namespace cfdmark
