// The kokkos backend: the default execution space of the linked Kokkos.
#pragma once

#include <string>

#include "kernels/device/backend.hpp"

namespace cfdmark {

// Returns why Kokkos cannot run here, or an empty string.
std::string kokkos_unavailable();
// Returns the backend on the first device; Kokkos uses one device per process.
Backend& kokkos_backend();
// Returns the default execution space, "OpenMP", "Serial" or "Cuda"; empty if built without Kokkos.
std::string kokkos_device();
// Returns the number of host threads that Kokkos uses; 0 on a device or without Kokkos. Starts Kokkos on a
// host.
int kokkos_threads();
// Returns the version, such as "3.4.1"; empty if built without Kokkos.
std::string kokkos_version();

}  // namespace cfdmark
