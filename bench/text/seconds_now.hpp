// The harness's own clock, for anything but measurements, which use Backend::seconds.
#pragma once

#include <chrono>

namespace cfdmark {

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace cfdmark
