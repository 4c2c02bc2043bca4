// What the records of two candidates tell of why the one is faster.
#pragma once

#include <string>

#include "bench/record/json.hpp"

namespace cfdmark::tuning {

// In what the winner differs from the default by more than a twentieth: the bytes that they say they move,
// the share of the roof that they reach, launches, waves of blocks with how idle the last leaves the device,
// registers. One sentence, of recorded facts only: "It moves 0.50 times the default's bytes, reaches 91 % of
// the roof for 84 % and has 40 registers a thread for 56." Empty where they differ in none, or a record tells
// none. `multiprocessors` of the GPU; 0 where there is none.
std::string reasons(const Json& winner, const Json& fallback, int multiprocessors);

}  // namespace cfdmark::tuning
