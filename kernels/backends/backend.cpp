#include "kernels/backends/backend.hpp"

#include <fmt/format.h>

#include <chrono>

#include "kernels/backends/cuda.hpp"
#include "kernels/backends/kokkos.hpp"
#include "kernels/backends/openmp.hpp"
#include "kernels/backends/serial.hpp"

namespace cfdmark {

std::string_view to_string(BackendKind kind) {
  switch (kind) {
    case BackendKind::serial: return "serial";
    case BackendKind::openmp: return "openmp";
    case BackendKind::kokkos: return "kokkos";
    case BackendKind::cuda: break;
  }
  return "cuda";
}

BackendKind backend_from(std::string_view word) {
  for (BackendKind kind : all_backends)
    if (to_string(kind) == word) return kind;
  throw std::invalid_argument(fmt::format("'{}' is no backend: use serial, openmp, kokkos or cuda", word));
}

double Backend::seconds(const std::function<void()>& work) {
  fence();
  const auto start = std::chrono::steady_clock::now();
  work();
  fence();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string unavailable_reason(BackendKind kind) {
  switch (kind) {
    case BackendKind::serial: return "";
    case BackendKind::openmp: return openmp_unavailable();
    case BackendKind::kokkos: return kokkos_unavailable();
    case BackendKind::cuda: break;
  }
  return cuda_unavailable();
}

Backend& backend(BackendKind kind) {
  if (const std::string reason = unavailable_reason(kind); !reason.empty())
    throw std::runtime_error(fmt::format("the {} backend cannot run here: {}", to_string(kind), reason));
  switch (kind) {
    case BackendKind::serial: return serial_backend();
    case BackendKind::openmp: return openmp_backend();
    case BackendKind::kokkos: return kokkos_backend();
    case BackendKind::cuda: break;
  }
  return cuda_backend();
}

}  // namespace cfdmark
