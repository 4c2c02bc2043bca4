// One kind of machine: its memory, its clock, its facts. Kernels and solvers run on it.
#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cfdmark {

enum class BackendKind { serial, openmp, kokkos, cuda };

inline constexpr BackendKind all_backends[] = {BackendKind::serial, BackendKind::openmp, BackendKind::kokkos,
                                               BackendKind::cuda};
std::string_view to_string(BackendKind);
// Throws std::invalid_argument naming the valid words.
BackendKind backend_from(std::string_view word);

// One of the devices of a kind. A host has one of each, a machine with several GPUs as many of cuda.
struct DeviceId {
  BackendKind kind = BackendKind::serial;
  int index = 0;

  DeviceId() = default;
  DeviceId(BackendKind of, int which = 0) : kind(of), index(which) {}  // a kind alone is the first of it
  auto operator<=>(const DeviceId&) const = default;
};
// "cuda" for the first, "cuda:1" for the second.
std::string to_string(const DeviceId&);

// A device that no longer answers: nothing more can be measured on it by this process.
struct DeviceLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct DeviceMemory {
  std::size_t used = 0, total = 0;  // bytes, of everything that uses the device
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual BackendKind kind() const = 0;
  virtual int index() const { return 0; }  // among the devices of its kind
  DeviceId id() const { return {kind(), index()}; }
  // "0000:18:00.0", by which the driver's tools know a GPU; empty for a host.
  virtual std::string pci_bus_id() const { return ""; }
  // Whether the host may dereference this backend's memory.
  virtual bool host_accessible() const { return true; }

  // Memory aligned to at least 64 bytes, 128 on a device, touched by the threads that will use it. Throws
  // std::bad_alloc, or std::runtime_error with the sizes when a device has not enough.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void*) noexcept = 0;
  virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
  virtual void download(void* to, const void* from, std::size_t bytes) = 0;
  // Within this backend's memory, in the order of the work given before.
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  virtual void set_zero(void* to, std::size_t bytes) = 0;

  // Waits until all work given so far is done. Throws what went wrong in it.
  virtual void fence() {}
  // `work` as something that can be run again and again at less cost: on a GPU its launches and copies are
  // recorded as one graph, and launched together; elsewhere it is `work` itself. It must have run before
  // (recording does not wait for code to load), must do the same each time, and must leave what it keeps on
  // the host as it was. Recording runs its host code and nothing else. Throws std::runtime_error if `work`
  // does what cannot be recorded, such as waiting.
  virtual std::function<void()> recorded(std::function<void()> work) { return work; }
  // Seconds that `work` takes on this backend's own clock, from idle to idle.
  virtual double seconds(const std::function<void()>& work);

  // Bytes that can still be allocated.
  virtual std::size_t free_memory() const = 0;
  // The cache behind which main memory begins; 0 if unknown.
  virtual std::size_t last_level_cache() const = 0;
  virtual std::optional<DeviceMemory> device_memory() const { return std::nullopt; }
};

// How many devices of a kind there are; 0 if the kind cannot run here.
int device_count(BackendKind);
// Why a device cannot be used here, and which there are if this one is not; empty if it can. Does not start
// it.
std::string unavailable_reason(DeviceId);
// The one backend of its device in this process, started at first use. Throws std::runtime_error with
// unavailable_reason() if it cannot run.
Backend& backend(DeviceId);

// Owns memory of a backend.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Backend& owner, std::size_t bytes)
      : data_(owner.allocate(bytes), [&owner](void* p) { owner.release(p); }) {}
  void* data() const { return data_.get(); }

 private:
  std::shared_ptr<void> data_;
};

}  // namespace cfdmark
