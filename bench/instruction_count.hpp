// Retired instructions, where the machine counts them for its users.
#pragma once

#include <functional>

#include "bench/json.hpp"
#include "kernels/backends/backend.hpp"

namespace cfdmark {

// The `instructions` object of a record: those that one step retires outside the operating system, or the
// reason why they are not known. Only a step that runs on the calling thread alone is counted: others wait
// for each other in loops, whose instructions depend on the time. `reset`: before the step, not counted; may
// be null.
Json count_instructions(Backend& backend, const std::function<void()>& step,
                        const std::function<void()>& reset);

}  // namespace cfdmark
