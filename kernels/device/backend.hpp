// A device: its memory, its clock, its properties. Kernels and solvers run on it.
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
// Returns the kind of that name. Throws std::invalid_argument, naming the valid words.
BackendKind backend_from(std::string_view word);

// One device of a kind. Every host has one serial, openmp and kokkos device; cuda devices are counted by GPU.
struct DeviceId {
  BackendKind kind = BackendKind::serial;
  int index = 0;

  DeviceId() = default;
  DeviceId(BackendKind of, int which = 0) : kind(of), index(which) {}  // index 0: the first device of a kind
  auto operator<=>(const DeviceId&) const = default;
};
// Returns "cuda" for the first device, "cuda:1" for the second.
std::string to_string(const DeviceId&);

// The device no longer responds: this process can measure nothing more on it.
struct DeviceLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct DeviceMemory {
  std::size_t used = 0, total = 0;  // bytes, of all processes that use the device
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual BackendKind kind() const = 0;
  virtual int index() const { return 0; }  // index among the devices of its kind
  DeviceId id() const { return {kind(), index()}; }
  // PCI address by which the driver's tools name a GPU, such as "0000:18:00.0"; empty for a host.
  virtual std::string pci_bus_id() const { return ""; }
  // Returns true if the host may dereference this backend's memory.
  virtual bool host_accessible() const { return true; }

  // Returns memory aligned to at least 64 bytes (128 on a device), first touched by the threads that will use
  // it. Throws std::bad_alloc, or std::runtime_error with the sizes if a device has too little memory.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void*) noexcept = 0;
  virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
  virtual void download(void* to, const void* from, std::size_t bytes) = 0;
  // Copies within this backend's memory, after all work submitted before.
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  virtual void set_zero(void* to, std::size_t bytes) = 0;

  // Waits until all submitted work is done. Throws the errors of that work.
  virtual void fence() {}
  // Returns a cheaper way to repeat `work`. A GPU captures its launches and copies into one CUDA graph; other
  // backends return `work` itself. Requirements: `work` has run before, since code cannot be loaded during
  // capture; it does the same each time; it leaves its host state unchanged. Capture runs the host code of
  // `work` only. Throws std::runtime_error if `work` does something that cannot be captured, such as waiting.
  virtual std::function<void()> recorded(std::function<void()> work) { return work; }
  // Returns the seconds that `work` takes on this backend's clock, from idle to idle.
  virtual double seconds(const std::function<void()>& work);

  // Bytes that can still be allocated.
  virtual std::size_t free_memory() const = 0;
  // Size of the last cache before main memory in bytes; 0 if unknown.
  virtual std::size_t last_level_cache() const = 0;
  virtual std::optional<DeviceMemory> device_memory() const { return std::nullopt; }
};

// Returns the number of devices of a kind; 0 if the kind cannot run here.
int device_count(BackendKind);
// Returns why a device is unavailable and which devices exist, or an empty string if it is available. Does
// not start it.
std::string unavailable_reason(DeviceId);
// Returns the process-wide backend of a device and starts it on first use. Throws std::runtime_error with
// unavailable_reason() if it cannot run.
Backend& backend(DeviceId);
// Returns a further backend of a device, with a queue of its own: streams, events, staging buffers and
// library handles. Its work runs concurrently with that of the device's other backends, and none of its waits
// covers them; allocating, freeing, loading code and capturing take turns. A backend serves one host thread
// at a time and must outlive what was allocated and prepared on it. On serial and openmp it is a further
// object without state; each host thread has an OpenMP team of its own, so two of them share the cores.
// Throws std::runtime_error if the device cannot run, and for kokkos, whose execution space has one queue per
// process. Methods of hypre and OpenBLAS keep state per process: one thread at a time may use each.
std::unique_ptr<Backend> new_queue(DeviceId);

// Owns memory of a backend; copies share it.
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
