// Source hashes taken when the program was built. Tuned entries of another source are not used.
#pragma once

#include <string>
#include <vector>

#include "bench/case/row.hpp"

namespace cfdmark {

struct SourceHash {
  std::string folder;   // "kernels/jacobi", "solvers"
  std::string backend;  // "cpu" for serial and openmp, "kokkos", "cuda"
  std::string hash;
};
const std::vector<SourceHash>& source_hashes();

// Returns the hash of the files that decide how the row runs. Empty for a row without source, which no tuned
// entry matches.
std::string source_hash(const Row&);

}  // namespace cfdmark
