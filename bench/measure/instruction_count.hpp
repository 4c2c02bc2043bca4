// Retired instructions, where the machine counts them for its users.
#pragma once

#include "bench/measure/measure.hpp"
#include "bench/record/json.hpp"

namespace cfdmark {

// The `instructions` object of a record: those that one step retires outside the operating system, its reset
// not counted, or the reason why they are not known. Only a step that runs on the calling thread alone is
// counted: others wait for each other in loops, whose instructions depend on the time; and only a short one,
// since it is run once more.
Json count_instructions(const Timed&);

}  // namespace cfdmark
