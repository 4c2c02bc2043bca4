// Iterations recorded as one CUDA graph, which replays their launches together. On small grids the launches
// of kernels dominate the time of a solver.
#pragma once

#include <functional>
#include <utility>

#include "kernels/core/config.hpp"
#include "kernels/device/backend.hpp"

namespace cfdmark {

// Setting of solvers on CUDA. With 1 each kernel is launched by itself.
inline const Setting graph_iterations_setting{
    "graph_iterations", {1, 10}, 1, "iterations per CUDA graph; 1: no graph"};

// Returns the value of graph_iterations; 1 for a backend without that setting.
inline int graph_iterations(const Config& c) {
  return c.has("graph_iterations") ? c.integer("graph_iterations") : 1;
}

// Returns why the graphs do not fill the iterations between two residual checks; empty if they do. A graph
// must hold an even number of iterations, because solvers swap two fields or two sets of scalars.
inline std::string graph_constraint(const Config& c) {
  const int recorded = graph_iterations(c), interval = c.integer("check_interval");
  if (recorded == 1 || (recorded % 2 == 0 && interval % recorded == 0)) return "";
  return "graph_iterations=" + std::to_string(recorded) +
         ": must be 1, or even and a divisor of check_interval=" + std::to_string(interval);
}

// Work that a backend repeats. The first call runs it directly and records it; later calls replay the
// recording. A backend that cannot record runs it again (Backend::recorded).
class RecordedWork {
 public:
  RecordedWork() = default;
  RecordedWork(Backend& backend, std::function<void()> work) : backend_(&backend), work_(std::move(work)) {}

  void operator()() {
    if (replay_) return replay_();
    work_();
    replay_ = backend_->recorded(work_);
  }

 private:
  Backend* backend_ = nullptr;
  std::function<void()> work_, replay_;
};

}  // namespace cfdmark
