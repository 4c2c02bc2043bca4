#include "kernels/device/backend.hpp"

#include <fmt/format.h>

#include <chrono>
#include <map>

#include "kernels/device/backends/stand_in_devices.hpp"
#include "kernels/device/cpu/openmp.hpp"
#include "kernels/device/cpu/serial.hpp"
#include "kernels/device/cuda/runtime/cuda.hpp"
#include "kernels/device/kokkos/kokkos.hpp"
#include "kernels/device/subnormals.hpp"

namespace cfdmark {
namespace {

std::map<BackendKind, std::vector<Backend*>>& stand_ins() {
  static std::map<BackendKind, std::vector<Backend*>> by_kind;
  return by_kind;
}

std::string why_none(BackendKind kind) {
  switch (kind) {
    case BackendKind::serial: return "";
    case BackendKind::openmp: return openmp_unavailable();
    case BackendKind::kokkos: return kokkos_unavailable();
    case BackendKind::cuda: break;
  }
  return cuda_unavailable();
}

}  // namespace

std::string_view to_string(BackendKind kind) {
  switch (kind) {
    case BackendKind::serial: return "serial";
    case BackendKind::openmp: return "openmp";
    case BackendKind::kokkos: return "kokkos";
    case BackendKind::cuda: break;
  }
  return "cuda";
}

std::string to_string(const DeviceId& id) {
  return id.index == 0 ? std::string(to_string(id.kind)) : fmt::format("{}:{}", to_string(id.kind), id.index);
}

BackendKind backend_from(std::string_view word) {
  for (BackendKind kind : all_backends)
    if (to_string(kind) == word) return kind;
  throw std::invalid_argument(fmt::format("unknown backend '{}': use serial, openmp, kokkos or cuda", word));
}

double Backend::seconds(const std::function<void()>& work) {
  fence();
  const auto start = std::chrono::steady_clock::now();
  work();
  fence();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int device_count(BackendKind kind) {
  if (const auto found = stand_ins().find(kind); found != stand_ins().end()) return int(found->second.size());
  if (kind == BackendKind::cuda) return cuda_device_count();
  return why_none(kind).empty() ? 1 : 0;
}

std::string unavailable_reason(DeviceId id) {
  const int count = device_count(id.kind);
  if (count == 0) return why_none(id.kind);
  if (id.index < 0 || id.index >= count)
    return fmt::format("unknown {} device {}: {}", to_string(id.kind), id.index,
                       count == 1 ? "the only device is 0" : fmt::format("use 0 to {}", count - 1));
  return id.kind == BackendKind::cuda && !stand_ins().contains(id.kind) ? cuda_unavailable(id.index) : "";
}

namespace {

void start_thread_on(DeviceId id) {
  if (const std::string reason = unavailable_reason(id); !reason.empty())
    throw std::runtime_error(fmt::format("the {} backend cannot run here: {}", to_string(id), reason));
  flush_subnormals();
}

}  // namespace

Backend& backend(DeviceId id) {
  start_thread_on(id);
  if (const auto found = stand_ins().find(id.kind); found != stand_ins().end())
    return *found->second[std::size_t(id.index)];
  switch (id.kind) {
    case BackendKind::serial: return serial_backend();
    case BackendKind::openmp: return openmp_backend();
    case BackendKind::kokkos: return kokkos_backend();
    case BackendKind::cuda: break;
  }
  return cuda_backend(id.index);
}

std::unique_ptr<Backend> new_queue(DeviceId id) {
  if (stand_ins().contains(id.kind))
    throw std::runtime_error(fmt::format("{} is a stand-in device, which has one queue", to_string(id)));
  start_thread_on(id);
  switch (id.kind) {
    case BackendKind::serial: return new_serial_backend();
    case BackendKind::openmp: return new_openmp_backend();
    case BackendKind::kokkos: break;
    case BackendKind::cuda: return new_cuda_backend(id.index);
  }
  throw std::runtime_error(
      "kokkos has one queue per process, its default execution space; use backend() from one thread at a "
      "time");
}

StandInDevices::StandInDevices(BackendKind kind, std::vector<Backend*> devices) : kind_(kind) {
  stand_ins()[kind] = std::move(devices);
}
StandInDevices::~StandInDevices() { stand_ins().erase(kind_); }

}  // namespace cfdmark
