// Fingerprints of the source, taken when the program was built: what was tuned with another source does not
// count.
#pragma once

#include <string>
#include <vector>

#include "bench/catalog/catalog.hpp"

namespace cfdmark {

struct SourceHash {
  std::string folder;   // "kernels/jacobi", "solvers"
  std::string backend;  // "cpu" for serial and openmp, "kokkos", "cuda"
  std::string hash;
};
const std::vector<SourceHash>& source_hashes();

// Of the files that decide how the row runs. Empty for a row that names no source: no tuned entry has that.
std::string source_hash(const Row&);

}  // namespace cfdmark
