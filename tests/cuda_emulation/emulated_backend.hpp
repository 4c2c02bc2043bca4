// The CUDA backend on an emulated device: plans run on the host, thread by thread. It records work as a graph
// the way a device does: what work gives to the device is kept with its arguments and not run, its host code
// runs.
#pragma once

#include <cstring>
#include <stdexcept>

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
  std::function<void()> recorded(std::function<void()> work) override {
    recording_ = true;
    work();
    recording_ = false;
    return [this, graph = std::move(graph_)] {
      ++graphs_run_;
      for (const auto& node : graph) node();
    };
  }
  int graphs_run() const { return graphs_run_; }
  void* allocate(std::size_t bytes) override { return allocate_host(bytes); }
  void release(void* p) noexcept override { release_host(p); }
  void upload(void* to, const void* from, std::size_t bytes) override {
    fence();
    std::memcpy(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    fence();
    std::memcpy(to, from, bytes);
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    give([=] { std::memcpy(to, from, bytes); });
  }
  void set_zero(void* to, std::size_t bytes) override {
    give([=] { std::memset(to, 0, bytes); });
  }
  void fence() override {
    if (recording_) throw std::logic_error("what is being recorded waits for the device");
  }
  std::size_t free_memory() const override { return available_host_memory(); }
  std::size_t last_level_cache() const override { return 0; }

 private:
  // To the device: at once, or into the graph that is being recorded.
  void give(std::function<void()> work) {
    if (!recording_) return work();
    graph_.push_back(std::move(work));
  }

  std::function<void()> part(const std::vector<Work>& work, const Plan& plan) {
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

  std::function<void()> launch_of(const Launch& launch) {
    const emulation::Function& function = emulation::functions().at(launch.function.expression);
    return [this, launch, function, arguments = launch.arguments.addresses()]() mutable {
      give([launch, thread = function(arguments.data())] {
        emulation::launch(launch.blocks, launch.threads, thread);
      });
    };
  }

  bool recording_ = false;
  int graphs_run_ = 0;
  std::vector<std::function<void()>> graph_;
};

}  // namespace cfdmark
