#include "bench/catalog/source_hash.hpp"

namespace cfdmark {
namespace {

const char* files_of(BackendKind kind) {
  switch (kind) {
    case BackendKind::kokkos: return "kokkos";
    case BackendKind::cuda: return "cuda";
    default: return "cpu";
  }
}

}  // namespace

std::string source_hash(const Row& row) {
  for (const SourceHash& s : source_hashes())
    if (s.folder == row.source && s.backend == files_of(row.backend)) return s.hash;
  return "";
}

}  // namespace cfdmark
