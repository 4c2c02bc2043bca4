// Ceilings other than memory bandwidth: arithmetic rate, bandwidth of the last-level cache, and the time to
// start a step. Measured like the roof, in a fraction of its time. A report compares every method with them.
#pragma once

#include <functional>
#include <vector>

#include "bench/measure/roof.hpp"

namespace cfdmark {

// The ceilings to measure for a key. A mixed case stores in one precision and computes in another.
struct LimitsKey {
  RoofKey roof;
  bool arithmetic = true, memory = true;  // measure the key's precision for computing; for storing
};
// Returns one entry per key of the cases, with the ceilings that they need.
std::vector<LimitsKey> limits_keys(const std::vector<Case>&);

// Returns the key without the ceilings that these entries contain.
LimitsKey without_known(LimitsKey, const Json& entries);

// Returns the square grid on which the fields of triad measure the last-level cache: all three fill half of
// it.
Grid cache_grid(const Backend&, Precision storage);

// Returns entries of the environment's `limits`, each from the fastest of the device's methods:
//   fused_multiply_add, separate_multiply_add: `arithmetic`, in operations per second
//   triad on fields that fill half of the last-level cache: `cache`, in bytes per second
//   triad on 32 x 32 cells, which is mostly launch time: `launch`, in seconds
// `entering` is called from time to time.
Json measure_limits(
    const LimitsKey&, const std::function<void()>& entering = [] {});

}  // namespace cfdmark
