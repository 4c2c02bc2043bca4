// The two halves of a copy that passes through contiguous memory.
#pragma once

#include "kernels/device/cuda/plan/peer_plan.hpp"
#include "kernels/ranks/device_links.hpp"
#include "kernels/ranks/ghost_rounds.hpp"

namespace cfdmark {

inline std::size_t packed_bytes(const GhostCopy& copy) {
  return copy.row_bytes * std::size_t(copy.ny) * std::size_t(copy.nz);
}

// Returns the copy up to contiguous memory.
inline Put packing(GhostCopy copy, char* to) {
  copy.to = to;
  copy.to_pitch = Index(copy.row_bytes), copy.to_plane = Index(copy.row_bytes) * copy.ny;
  return put_of(copy);
}
// Returns the copy from there on.
inline Put unpacking(const char* from, GhostCopy copy) {
  copy.from = from;
  copy.from_pitch = Index(copy.row_bytes), copy.from_plane = Index(copy.row_bytes) * copy.ny;
  return put_of(copy);
}

}  // namespace cfdmark
