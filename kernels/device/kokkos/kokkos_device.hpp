// Properties of Kokkos's device that Kokkos does not report. Included by kokkos.cpp only.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "kernels/device/backend.hpp"
#include "kernels/device/cpu/host_memory.hpp"
#include "kernels/device/kokkos/kokkos_space.hpp"

namespace cfdmark {

// Fallback for devices without a specialisation: free memory and cache size are unknown.
template <class Exec, bool on_host>
struct KokkosFacts {
  static std::string unavailable() { return ""; }
  static std::size_t free_memory() { return std::numeric_limits<std::size_t>::max(); }
  static std::size_t last_level_cache() { return 0; }
  static std::optional<DeviceMemory> device_memory() { return std::nullopt; }
  static std::string pci_bus_id() { return ""; }
};

template <class Exec>
struct KokkosFacts<Exec, true> {
  static std::string unavailable() { return ""; }
  static std::size_t free_memory() { return available_host_memory(); }
  static std::size_t last_level_cache() { return host_last_level_cache(); }
  static std::optional<DeviceMemory> device_memory() { return std::nullopt; }
  static std::string pci_bus_id() { return ""; }
};

#if defined(KOKKOS_ENABLE_CUDA)
template <>
struct KokkosFacts<Kokkos::Cuda, false> {
  static std::string unavailable() {
    int devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&devices);
    if (status != cudaSuccess)
      return std::string("Kokkos is built for CUDA, but: ") + cudaGetErrorString(status);
    return devices > 0 ? "" : "Kokkos is built for CUDA, but no CUDA device was found";
  }
  static std::size_t free_memory() {
    const auto memory = device_memory();
    return memory ? memory->total - memory->used : 0;
  }
  static std::size_t last_level_cache() {
    int device = 0, bytes = 0;
    if (cudaGetDevice(&device) != cudaSuccess) return 0;
    return cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device) == cudaSuccess ? bytes : 0;
  }
  static std::optional<DeviceMemory> device_memory() {
    std::size_t free = 0, total = 0;
    if (cudaMemGetInfo(&free, &total) != cudaSuccess) return std::nullopt;
    return std::make_optional(DeviceMemory{total - free, total});
  }
  static std::string pci_bus_id() {
    int device = 0;
    char bus[32] = {};
    if (cudaGetDevice(&device) != cudaSuccess) return "";
    return cudaDeviceGetPCIBusId(bus, sizeof bus, device) == cudaSuccess ? bus : "";
  }
};
#endif

}  // namespace cfdmark
