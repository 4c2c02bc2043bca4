// Device code that the next cases need, compiled on all cores before the first of them is prepared.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "bench/catalog/case.hpp"
#include "kernels/backends/cuda_plan.hpp"
#include "kernels/backends/nvrtc.hpp"

namespace cfdmark {

// What a case may launch, or ask about before it chooses a layout, on any device.
std::vector<Launch> possible_launches(const Case&);

// Of CUDA kernels; a solver's code is little. It lies in the user's cache then, where preparing finds it.
// What does not compile, or has no config that can be prepared, is left to preparing, which says why; and so
// is what has not begun after `seconds`. `alive` is called now and then, on this thread.
void compile_ahead(
    const std::vector<const Case*>&, double seconds = std::numeric_limits<double>::infinity(),
    const std::function<void()>& alive = [] {});

// Each request that is not there yet, on as many threads as there are cores, wherever this one is bound.
void compile_into_cache(
    const std::vector<DeviceCodeRequest>&, double seconds = std::numeric_limits<double>::infinity(),
    const std::function<void()>& alive = [] {});

}  // namespace cfdmark
