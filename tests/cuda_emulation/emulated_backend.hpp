// The CUDA backend on an emulated device: plans run on the host, thread by thread. Capture works as on a
// device: host code runs, device work is stored with its arguments and not run. Each run of a part with
// several streams runs another stream first, beginning with the last. The target of an overlapped upload
// holds NaNs until the upload is complete.
#pragma once

#include <cstring>
#include <optional>
#include <stdexcept>
#include <utility>

#include "kernels/device/cpu/host_memory.hpp"
#include "kernels/device/cuda/runtime/convergence_loop.hpp"
#include "tests/cuda_emulation/emulated_device.hpp"
#include "tests/cuda_emulation/stream_order.hpp"

namespace cfdmark {

namespace emulation {
const FunctionTable& functions();  // generated
}

class EmulatedCuda : public CudaBackend, public LoopRecorder {
 public:
  explicit EmulatedCuda(int index = 0) : index_(index) {}
  int index() const override { return index_; }
  int resident_blocks(const Launch&) override { return 8; }

  Step prepare(Plan plan) override {
    Step step;
    step.run = part(plan.run, plan);
    if (!plan.load.empty()) step.load = part(plan.load, plan);
    if (!plan.store.empty()) step.store = part(plan.store, plan);
    step.resources.launches = count_launches(plan.run);
    return step;
  }
  std::function<void()> recorded(std::function<void()> work) override {
    if (recording_) return work;
    recording_ = true;
    work();
    recording_ = false;
    return [this, work, graph = std::exchange(graph_, {})] {
      if (recording_) return work();
      ++graphs_run_;
      for (const auto& node : graph) node();
    };
  }
  int graphs_run() const { return graphs_run_; }
  bool record_loop(const double* more, const std::function<void()>& work) override {
    if (!recording_) return false;
    std::vector<std::function<void()>> outer = std::exchange(graph_, {});
    work();
    give([more, body = std::exchange(graph_, std::move(outer))] {
      while (*more != 0)
        for (const auto& node : body) node();
    });
    return true;
  }
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
    if (recording_) throw std::logic_error("captured work must not wait for the device");
    run_unjoined();
  }
  // A fault: in two successive parts with several streams no stream waits for another, and this one is ahead
  // of the others.
  std::optional<int> stream_ahead;
  std::size_t free_memory() const override { return available_host_memory(); }
  std::size_t last_level_cache() const override { return 0; }

 private:
  // Submits work to the device: runs it at once, or adds it to the graph being captured.
  void give(std::function<void()> work) {
    if (!recording_) return work();
    graph_.push_back(std::move(work));
  }

  std::function<void()> part(const std::vector<Work>& given, const Plan& plan) {
    const std::vector<Work> work = between_joins(given);
    std::vector<std::function<void()>> calls;
    for (const Work& w : work) calls.push_back(call_of(w));
    std::vector<std::vector<std::size_t>> orders;
    for (int first = emulation::count_streams(work); first-- > 0;)
      orders.push_back(emulation::order_of(work, first));
    return [this, work, calls, orders, uploads = emulation::on_their_way(given), memory = plan.memory,
            runs = std::size_t(0)]() mutable {
      if (stream_ahead && orders.size() > 1) return run_later(work, calls);
      run_unjoined();
      for (const Upload& u : uploads) give([=] { std::memset(u.to, 0xff, u.bytes); });
      for (const std::size_t n : orders[runs++ % orders.size()]) calls[n]();
    };
  }

  void run_later(const std::vector<Work>& work, const std::vector<std::function<void()>>& calls) {
    for (std::size_t n = 0; n < work.size(); ++n) {
      if (std::holds_alternative<Join>(work[n])) continue;
      unjoined_.push_back(work[n]);
      unjoined_calls_.push_back(calls[n]);
    }
    if (++unjoined_parts_ == 2) run_unjoined();
  }
  void run_unjoined() {
    const auto work = std::exchange(unjoined_, {});
    const auto calls = std::exchange(unjoined_calls_, {});
    unjoined_parts_ = 0;
    for (const std::size_t n : emulation::order_of(work, stream_ahead.value_or(0))) calls[n]();
  }

  std::function<void()> call_of(const Work& work) {
    if (const auto* call = std::get_if<HostCall>(&work)) return [call = call->call] { call({}); };
    if (const auto* launch = std::get_if<Launch>(&work)) return launch_of(*launch);
    if (const auto* u = std::get_if<Upload>(&work))
      return [this, u = *u] { give([=] { std::memcpy(u.to, u.from, u.bytes); }); };
    return [] {};  // a join, which the order accounts for
  }

  std::function<void()> launch_of(const Launch& launch) {
    check_shared_memory(launch, 0, emulation::most_shared_bytes);
    check_all_resident(launch, resident_blocks(launch));
    const emulation::Function& function = emulation::functions().at(launch.function.expression);
    return [this, launch, function, arguments = launch.arguments.addresses()]() mutable {
      give([launch, thread = function(arguments.data())] {
        emulation::launch(launch.blocks, launch.threads, thread, launch.shared_bytes, launch.cooperative);
      });
    };
  }

  int index_;
  bool recording_ = false;
  int graphs_run_ = 0;
  std::vector<std::function<void()>> graph_;
  std::vector<Work> unjoined_;
  std::vector<std::function<void()>> unjoined_calls_;
  int unjoined_parts_ = 0;
};

}  // namespace cfdmark
