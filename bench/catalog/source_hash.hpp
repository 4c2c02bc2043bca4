// Source hashes taken when the program was built. Tuned entries of another source are not used, and a
// campaign measures records of another source again.
#pragma once

#include <string>
#include <vector>

#include "bench/case/case.hpp"

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

// Returns the hash of the files that decide how a case runs: those of its row, and those of its problem if
// that is in a file of its own. Empty for a row without source.
std::string source_hash(const Case&);

}  // namespace cfdmark
