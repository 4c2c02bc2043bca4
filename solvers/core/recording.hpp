// Iterations recorded as one CUDA graph: on small grids a solver's time is that of its launches.
#pragma once

#include <functional>
#include <utility>

#include "kernels/backends/backend.hpp"
#include "kernels/core/config.hpp"

namespace cfdmark {

// Of solvers on CUDA. 1: each kernel is launched by itself.
inline const Setting graph_iterations_setting{
    "graph_iterations", {1, 10}, 1, "iterations that one CUDA graph holds; 1: no graph"};

// Of a config; 1 where a backend has no such setting.
inline int graph_iterations(const Config& c) {
  return c.has("graph_iterations") ? c.whole("graph_iterations") : 1;
}

// Empty if the graphs fill the iterations between two checks. Their number is even because solvers have
// things that take turns (two fields, two sets of scalars), which a graph must leave as it found them.
inline std::string graph_constraint(const Config& c) {
  const int recorded = graph_iterations(c), interval = c.whole("check_interval");
  if (recorded == 1 || (recorded % 2 == 0 && interval % recorded == 0)) return "";
  return "graph_iterations=" + std::to_string(recorded) +
         ": 1, or an even part of check_interval=" + std::to_string(interval);
}

// Work that is given to a backend many times: as it is the first time, recorded from then on.
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
