// For tests that need a device.
#pragma once

#include "kernels/device/cuda/runtime/cuda.hpp"
#include "tests/catch.hpp"

// True where there is none; says why.
inline bool skipped_without_device() {
  const std::string reason = cfdmark::cuda_unavailable();
  if (!reason.empty()) WARN("skipped: " << reason);
  return !reason.empty();
}
