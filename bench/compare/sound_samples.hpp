// Clocks jump: what no clock that runs evenly can have shown.
#pragma once

#include <string>

#include "bench/compare/ratio.hpp"
#include "bench/record/json.hpp"

namespace cfdmark::compare {

struct SoundSamples {
  Samples kept;          // in order
  std::string left_out;  // "3 of 20 samples are negative or zero"; empty if none are left out
};

// The samples of a record's `time` that can be believed: numbers above zero, and within a factor of a
// thousand of their median (a process that is preempted is late by a few tens, a clock that is set by any
// amount).
SoundSamples sound_samples(const Json& record);

}  // namespace cfdmark::compare
