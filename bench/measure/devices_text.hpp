// Prints the devices of this machine, the backends built for them, and the measured bandwidth.
#pragma once

#include <optional>

namespace cfdmark {

// Prints tables, or the environment of a run (results/README.md) with `backends`. `cuda_device` selects a
// single CUDA device.
void print_devices(std::optional<int> cuda_device, bool with_roofs, bool as_json);

}  // namespace cfdmark
