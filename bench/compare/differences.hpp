// Decides whether two sides are comparable. They need the same device and configuration, and a known record
// format.
#pragma once

#include <string>
#include <vector>

#include "bench/compare/matching.hpp"
#include "bench/compare/side.hpp"

namespace cfdmark::compare {

struct Differences {
  // Differences for which a comparison is refused unless forced, such as "gpu.name: H100 in the base, H200 in
  // the new". The times would compare these, not the programs.
  std::vector<std::string> refused;
  std::vector<std::string> noted;  // possible explanations of a change, or the change itself
};
Differences differences(const Side& base, const Side& now);

// Returns one text per backend and pair of thread counts for cases whose names agree but whose thread counts
// differ. Variables such as KOKKOS_NUM_THREADS set a count that no case name contains.
std::vector<std::string> thread_differences(const std::vector<Match>&);

// Throws std::invalid_argument that lists the differences, if there are any.
void refuse(const std::vector<std::string>& refused);

}  // namespace cfdmark::compare
