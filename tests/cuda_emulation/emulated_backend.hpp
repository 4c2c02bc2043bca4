// The CUDA backend on an emulated device: plans run on the host, thread by thread.
#pragma once

#include <cstring>

#include "kernels/backends/host_memory.hpp"
#include "tests/cuda_emulation/emulated_device.hpp"

namespace cfdmark {

namespace emulation {
const FunctionTable& functions();  // generated
}

class EmulatedCuda final : public CudaBackend {
 public:
  Step prepare(Plan plan) override {
    Step step;
    step.run = part(plan.run, plan);
    if (!plan.load.empty()) step.load = part(plan.load, plan);
    if (!plan.store.empty()) step.store = part(plan.store, plan);
    step.resources.launches = int(plan.run.size());
    return step;
  }
  void* allocate(std::size_t bytes) override { return allocate_host(bytes); }
  void release(void* p) noexcept override { release_host(p); }
  void upload(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void download(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void copy(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void set_zero(void* to, std::size_t bytes) override { std::memset(to, 0, bytes); }
  std::size_t free_memory() const override { return available_host_memory(); }
  std::size_t last_level_cache() const override { return 0; }

 private:
  static std::function<void()> part(const std::vector<Work>& work, const Plan& plan) {
    std::vector<std::function<void()>> calls;
    for (const Work& w : work) {
      if (const auto* call = std::get_if<HostCall>(&w))
        calls.push_back([call = call->call] { call({}); });
      else
        calls.push_back(launch_of(std::get<Launch>(w)));
    }
    return [calls, memory = plan.memory] {
      for (const auto& call : calls) call();
    };
  }

  static std::function<void()> launch_of(const Launch& launch) {
    const emulation::Function& function = emulation::functions().at(launch.function.expression);
    return [launch, function, arguments = launch.arguments.addresses()]() mutable {
      emulation::launch(launch.blocks, launch.threads, [&] { function(arguments.data()); });
    };
  }
};

}  // namespace cfdmark
