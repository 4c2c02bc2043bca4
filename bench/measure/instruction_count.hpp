// Retired instructions, where the machine lets users count them.
#pragma once

#include "bench/measure/measure.hpp"
#include "bench/text/json.hpp"

namespace cfdmark {

// Returns the `instructions` object of a record: the instructions that a step retires in user space, without
// its reset, or the reason why they are unknown. Only steps on the calling thread are counted, since several
// threads wait in loops whose length depends on time. Only short steps are counted, since the step runs once
// more.
Json count_instructions(const TimedStep&);

}  // namespace cfdmark
