// The CUDA backend without a device: methods are prepared as on a GPU, and their device code can be compiled
// for any architecture, but nothing can be stored or run.
#pragma once

#include "kernels/backends/cuda_plan.hpp"
#include "kernels/backends/host_memory.hpp"
#include "kernels/backends/nvrtc_cache.hpp"

namespace cfdmark {

// A device function of a plan, compiled.
struct CompiledFunction {
  std::string expression;
  Extent threads;  // of a launch
  FunctionReport report;
  int shared_bytes;  // a block, static and the most dynamic of its launches
};

// Bytes of shared memory that a block can have on "sm_90". Throws std::invalid_argument for an architecture
// that is not known here.
int most_shared_bytes(const std::string& architecture);

class CudaOffline : public CudaBackend {
 public:
  // Notes the plan's launches, and returns a step that cannot run.
  Step prepare(Plan) override;
  int resident_blocks(const Launch&) override { return 1; }  // as many as any device holds
  const std::vector<Launch>& launches() const { return launches_; }

  // All functions noted so far, each once, compiled together source by source, or as the cache has them.
  // Throws DeviceCodeError, or std::logic_error if a launch's arguments are not the function's parameters.
  std::vector<CompiledFunction> compile(const std::string& architecture,
                                        DeviceCodeCache* cache = nullptr) const;

  // On the host, so that views have addresses to look at.
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

// Throws std::logic_error if the arguments' types are not the parameters of the function with this mangled
// name.
void check_arguments(const Launch&, const std::string& symbol);

}  // namespace cfdmark
