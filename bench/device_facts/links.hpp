// The links of the CUDA devices here, to each other and to the host: `links` of an environment
// (results/README.md).
#pragma once

#include "bench/text/json.hpp"
#include "kernels/device/cuda/primitives/link_rates.hpp"
#include "kernels/device/cuda/runtime/nvml.hpp"

namespace cfdmark {

// Returns an entry for each direction of each link of these devices, measured. In builds with CUDA only.
// `entering` is called before each link.
Json measure_links(
    const std::vector<DeviceId>& cuda_devices, const std::function<void()>& entering = [] {},
    const LinkEffort& = {}, const char* nvml = nvml_library);

}  // namespace cfdmark
