// Shared parts of serial and openmp.
#pragma once

#include <cstring>

#include "kernels/core/grid.hpp"
#include "kernels/device/backend.hpp"
#include "kernels/device/cpu/host_memory.hpp"

namespace cfdmark {

class HostBackend : public Backend {
 public:
  void release(void* p) noexcept override { release_host(p); }
  std::size_t free_memory() const override { return available_host_memory(); }
  std::size_t last_level_cache() const override { return host_last_level_cache(); }
  void download(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
};

}  // namespace cfdmark
