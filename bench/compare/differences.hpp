// Whether two sides may be compared at all: made on the same device, in the same configuration, in a format
// that this program knows.
#pragma once

#include <string>
#include <vector>

#include "bench/compare/matching.hpp"
#include "bench/compare/side.hpp"

namespace cfdmark::compare {

struct Differences {
  std::vector<std::string>
      refused;                     // "gpu.name: H100 / H200": a comparison would be of these, not of programs
  std::vector<std::string> noted;  // may explain a change, or be the change that is compared
};
Differences differences(const Side& base, const Side& now);

// Backends whose cases ran on other numbers of threads, though their names agree: a number that the
// environment sets, as KOKKOS_NUM_THREADS does, is in no name. Once for each backend and pair of numbers.
std::vector<std::string> thread_differences(const std::vector<Match>&);

// Throws std::invalid_argument that lists them, if there are any.
void refuse(const std::vector<std::string>& refused);

}  // namespace cfdmark::compare
