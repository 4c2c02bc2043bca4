// The devices that this Kokkos was built with, through its default execution space.
#pragma once

#include <string>

#include "kernels/backends/backend.hpp"

namespace cfdmark {

std::string kokkos_unavailable();
// On the first device: Kokkos knows one in a process.
Backend& kokkos_backend();
// "OpenMP", "Serial", "Cuda": the default execution space; empty if built without Kokkos.
std::string kokkos_device();
// Threads of the host that share its work; 0 where it runs on a device or is absent. Starts Kokkos on a host.
int kokkos_threads();
// "3.4.1"; empty if built without Kokkos.
std::string kokkos_version();

}  // namespace cfdmark
