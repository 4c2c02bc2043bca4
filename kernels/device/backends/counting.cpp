#include "kernels/device/backends/counting.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>

#include "kernels/device/built.hpp"
#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "kernels/device/cuda/plan/cuda_plan.hpp"

namespace cfdmark {
namespace {

[[noreturn]] void no_values() {
  throw std::logic_error("a step prepared on a counting backend cannot run: it has no memory");
}

class MemoryCount {
 public:
  virtual ~MemoryCount() = default;
  std::size_t most() const { return most_; }

 protected:
  // Returns a unique address that is never dereferenced; views only carry it.
  void* add(std::size_t bytes) {
    constexpr std::size_t apart = 4096;
    void* const address = reinterpret_cast<void*>(next_);
    next_ += (bytes + apart) / apart * apart;
    sizes_[address] = bytes;
    now_ += bytes;
    most_ = std::max(most_, now_);
    return address;
  }
  void remove(void* address) noexcept {
    const auto found = sizes_.find(address);
    if (found == sizes_.end()) return;
    now_ -= found->second;
    sizes_.erase(found);
  }

 private:
  std::uintptr_t next_ = std::uintptr_t(1) << 60;  // beyond any address that a process can map
  std::size_t now_ = 0, most_ = 0;
  std::map<void*, std::size_t> sizes_;
};

template <class Base>
class Counting : public Base, public MemoryCount {
 public:
  void* allocate(std::size_t bytes) final { return add(bytes); }
  void release(void* p) noexcept final { remove(p); }
  void upload(void*, const void*, std::size_t) final {}
  void download(void*, const void*, std::size_t) final { no_values(); }
  void copy(void*, const void*, std::size_t) final {}
  void set_zero(void*, std::size_t) final {}
  std::size_t free_memory() const final { return 0; }
  std::size_t last_level_cache() const final { return 0; }
};

class CountingHost final : public Counting<Backend> {
 public:
  explicit CountingHost(BackendKind kind) : kind_(kind) {}
  BackendKind kind() const override { return kind_; }

 private:
  BackendKind kind_;
};

class CountingCuda final : public Counting<CudaBackend> {
 public:
  Step prepare(Plan plan) override {
    Step step;
    step.run = [memory = std::move(plan.memory)] { no_values(); };
    return step;
  }
  int resident_blocks(const Launch&) override { return 1; }  // holds on every device
};

template <class Counting>
std::size_t most_while(Counting&& backend, const std::function<void(Backend&)>& prepare) {
  prepare(backend);
  return backend.most();
}

}  // namespace

std::size_t counted_bytes(BackendKind kind, const std::function<void(Backend&)>& prepare) {
  if (kind == BackendKind::cuda) return most_while(CountingCuda(), prepare);
  if (kind == BackendKind::kokkos && unavailable_reason(kind).empty()) backend(kind);
  return most_while(CountingHost(kind), prepare);
}

bool holds_values(const Backend& backend) {
  if constexpr (built_with_cuda)
    if (dynamic_cast<const CudaOffline*>(&backend)) return false;
  return !only_counts(backend);
}
bool only_counts(const Backend& backend) { return dynamic_cast<const MemoryCount*>(&backend) != nullptr; }

}  // namespace cfdmark
