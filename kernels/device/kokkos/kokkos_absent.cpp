// Replaces kokkos.cpp in builds without Kokkos.
#include "kernels/device/kokkos/kokkos.hpp"

namespace cfdmark {

std::string kokkos_unavailable() { return "built without Kokkos: CMake found none (set Kokkos_ROOT to one)"; }
Backend& kokkos_backend() { throw std::runtime_error(kokkos_unavailable()); }
std::string kokkos_device() { return ""; }
int kokkos_threads() { return 0; }
std::string kokkos_version() { return ""; }

}  // namespace cfdmark
