// What else than memory limits a step: how fast the device computes, what its last cache gives, and how long
// it takes to start a step. Measured like the roof and in a fraction of its time; a report holds every method
// against them.
#pragma once

#include <functional>
#include <vector>

#include "bench/measure/roof.hpp"

namespace cfdmark {

// What of a key's limits is to be measured: a mixed case stores in one precision and computes in another.
struct LimitsKey {
  RoofKey roof;
  bool arithmetic = true, memory = true;  // of the key's precision as one to compute in, to store in
};
// One for each key of the cases, with what these need of it.
std::vector<LimitsKey> limits_keys(const std::vector<Case>&);

// What is left of a key where these entries are known.
LimitsKey without_known(LimitsKey, const Json& entries);

// Cells a side of the square fields of triad that measure the last cache: all three take half of it.
Grid cache_grid(const Backend&, Precision storage);

// Entries of the environment's `limits`:
//   fused_multiply_add, separate_multiply_add   `arithmetic`, in operations a second
//   triad on fields that take half of the last cache    `cache`, in bytes a second
//   triad on 32 x 32 cells, which is nothing but a start    `launch`, in seconds
// of the fastest of the device's methods. `entering` is called now and then while it runs.
Json measure_limits(
    const LimitsKey&, const std::function<void()>& entering = [] {});

}  // namespace cfdmark
