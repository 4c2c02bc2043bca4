// Exit statuses of cfdmark; `compare` and `gate` have their own.
#pragma once

namespace cfdmark {

inline constexpr int exit_ok = 0, exit_went_wrong = 1, exit_usage = 2, exit_cannot_write = 3,
                     exit_cases_left = 4, exit_wrong_and_left = 5, exit_interrupted = 130;

}  // namespace cfdmark
