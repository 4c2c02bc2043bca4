// Retired instructions, where the machine counts them for its users.
#pragma once

#include <functional>

#include "bench/record/json.hpp"
#include "kernels/backends/backend.hpp"

namespace cfdmark {

struct CountedStep {
  Backend* backend;
  std::function<void()> step;
  std::function<void()> reset;  // before the step, not counted; may be null
  double seconds;               // that it takes
};
// The `instructions` object of a record: those that one step retires outside the operating system, or the
// reason why they are not known. Only a step that runs on the calling thread alone is counted: others wait
// for each other in loops, whose instructions depend on the time; and only a short one, since it is run once
// more.
Json count_instructions(const CountedStep&);

}  // namespace cfdmark
