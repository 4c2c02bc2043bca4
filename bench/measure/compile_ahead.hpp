// Compiles the device code of the next cases on all cores, before the first is prepared.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "bench/case/case.hpp"
#include "kernels/device/cuda/jit/nvrtc.hpp"
#include "kernels/device/cuda/plan/cuda_plan.hpp"

namespace cfdmark {

// Returns what a case may launch, or query before it chooses a layout, on any device.
std::vector<Launch> possible_launches(const Case&);

// Compiles the code of CUDA kernels into the user's cache; a solver has little code. Code that does not
// compile is skipped, since preparing the case reports the error. No compilation starts after `seconds`.
// `alive` is called from time to time on this thread.
void compile_ahead(
    const std::vector<const Case*>&, double seconds = std::numeric_limits<double>::infinity(),
    const std::function<void()>& alive = [] {});

// Compiles each request that is not cached, with one thread per core, regardless of this thread's binding.
void compile_into_cache(
    const std::vector<DeviceCodeRequest>&, double seconds = std::numeric_limits<double>::infinity(),
    const std::function<void()>& alive = [] {});

}  // namespace cfdmark
