// Backends and precisions that this build or machine lacks.
#pragma once

#include <string>

#include "kernels/core/precision.hpp"
#include "kernels/device/backend.hpp"

namespace cfdmark {

// Returns why rows of a backend and precision cannot run here; empty if they can.
inline std::string unavailable_reason(BackendKind kind, Precision p) {
  const std::string reason = not_built_reason(p);
  return reason.empty() ? unavailable_reason(kind) : reason;
}

// Returns true if a kernel or solver lacks these methods in this build.
template <class Methods>
bool is_not_built(const Methods& methods, BackendKind kind, Precision p) {
  return methods.empty() ? !unavailable_reason(kind).empty() : !not_built_reason(p).empty();
}

}  // namespace cfdmark
