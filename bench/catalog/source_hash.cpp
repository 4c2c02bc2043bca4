#include "bench/catalog/source_hash.hpp"

#include <fmt/format.h>

#include "bench/text/hash.hpp"

namespace cfdmark {
namespace {

std::string hash_of(const std::string& folder, const char* backend) {
  for (const SourceHash& s : source_hashes())
    if (s.folder == folder && s.backend == backend) return s.hash;
  return "";
}

const char* files_of(BackendKind kind) {
  switch (kind) {
    case BackendKind::kokkos: return "kokkos";
    case BackendKind::cuda: return "cuda";
    default: return "cpu";
  }
}

}  // namespace

std::string source_hash(const Row& row) { return hash_of(row.source, files_of(row.backend)); }

std::string source_hash(const Case& c) {
  const std::string row = source_hash(*c.row);
  if (row.empty() || !c.workload.has("problem")) return row;
  const std::string file = fmt::format("solvers/problems/{}.cpp", c.workload.choice("problem"));
  const std::string problem = hash_of(file, "cpu");
  return problem.empty() ? row : fingerprint(row + problem);
}

}  // namespace cfdmark
