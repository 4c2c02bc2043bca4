// Backends and precisions that this build or machine lacks.
#pragma once

#include <string>

#include "kernels/core/precision.hpp"
#include "kernels/device/backend.hpp"
#include "kernels/device/built.hpp"

namespace cfdmark {

// Returns why rows of a backend and precision cannot run here; empty if they can.
inline std::string unavailable_reason(BackendKind kind, Precision p) {
  const std::string reason = not_built_reason(p);
  return reason.empty() ? unavailable_reason(kind) : reason;
}

// Returns true if this build has the backend, whatever the machine.
inline bool is_built(BackendKind kind) {
  if (kind == BackendKind::kokkos) return built_with_kokkos;
  if (kind == BackendKind::cuda) return built_with_cuda;
  return unavailable_reason(kind).empty();
}

// Returns true if a kernel or solver lacks these methods in this build. The machine does not count: a worker
// must have the rows of its supervisor, and a limit of its memory may hide a device.
template <class Methods>
bool is_not_built(const Methods& methods, BackendKind kind, Precision p) {
  return methods.empty() ? !is_built(kind) : !not_built_reason(p).empty();
}

}  // namespace cfdmark
