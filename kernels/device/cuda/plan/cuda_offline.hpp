// A CUDA backend without a device. Methods are prepared as on a GPU and their device code can be compiled for
// any architecture, but nothing can be stored or run.
#pragma once

#include "kernels/device/cpu/host_memory.hpp"
#include "kernels/device/cuda/jit/nvrtc_cache.hpp"
#include "kernels/device/cuda/plan/cuda_plan.hpp"

namespace cfdmark {

// A compiled device function of a plan.
struct CompiledFunction {
  std::string expression;
  Extent threads;  // threads per block of one of its launches
  FunctionReport report;
  int shared_bytes;  // per block: static plus the largest dynamic size of its launches
};

// Returns the maximum shared memory of a block in bytes on an architecture such as "sm_90". Throws
// std::invalid_argument for an unknown architecture.
int most_shared_bytes(const std::string& architecture);

class CudaOffline : public CudaBackend {
 public:
  // Records the plan's launches and returns a step that cannot run.
  Step prepare(Plan) override;
  int resident_blocks(const Launch&) override { return 1; }  // holds on every device
  const std::vector<Launch>& launches() const { return launches_; }

  // Compiles all recorded functions once each, grouped by source, or takes them from the cache. Throws
  // DeviceCodeError, or std::logic_error if the arguments of a launch do not match its function.
  std::vector<CompiledFunction> compile(const std::string& architecture,
                                        DeviceCodeCache* cache = nullptr) const;

  // Allocates host memory, so that views have valid addresses.
  void* allocate(std::size_t bytes) override { return allocate_host(bytes); }
  void release(void* p) noexcept override { release_host(p); }
  void upload(void*, const void*, std::size_t) override {}
  void download(void*, const void*, std::size_t) override;
  void copy(void*, const void*, std::size_t) override {}
  void set_zero(void*, std::size_t) override {}
  std::size_t free_memory() const override { return 0; }
  std::size_t last_level_cache() const override { return 0; }

 private:
  std::vector<Launch> launches_;
};

// Throws std::logic_error if the argument types differ from the parameters of the function with this mangled
// name.
void check_arguments(const Launch&, const std::string& symbol);

}  // namespace cfdmark
