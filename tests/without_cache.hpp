// For tests that need to know how large a cache is.
#pragma once

#include "kernels/device/cpu/host_memory.hpp"
#include "tests/catch.hpp"

// True where the machine does not say, as some virtual ones do not; says so.
inline bool skipped_without_cache() {
  const bool unknown = cfdmark::host_last_level_cache() == 0;
  if (unknown) WARN("skipped: this machine does not say how large its caches are");
  return unknown;
}
