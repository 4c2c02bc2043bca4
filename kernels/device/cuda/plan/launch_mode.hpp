// How the launches of several steps are submitted: one by one, or as one CUDA graph.
#pragma once

#include <utility>

#include "kernels/core/config.hpp"
#include "kernels/core/step.hpp"
#include "kernels/device/backend.hpp"

namespace cfdmark {

inline Setting launch_mode_setting() {
  return choice_setting("launch_mode", {"stream", "graph"}, "stream",
                        "submission of a step's launches: singly, or as one CUDA graph");
}

// Returns a step that submits the launches of `step`, which are `steps` steps, as the config says. Its number
// of launches is that of one step.
inline Step in_launch_mode(Backend& backend, Step step, const Config& config, int steps) {
  step.resources.launches /= steps;
  if (config.is("launch_mode", "stream")) return step;
  // The first run submits the launches singly, which loads the code; later runs launch the graph.
  step.run = [&backend, launches = std::move(step.run), graph = std::function<void()>()]() mutable {
    if (graph) return graph();
    launches();
    graph = backend.recorded(launches);
  };
  return step;
}

}  // namespace cfdmark
