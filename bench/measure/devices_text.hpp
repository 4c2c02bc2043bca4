// Prints the devices of this machine, the backends built for them, and the measured bandwidth and links.
#pragma once

#include <optional>

namespace cfdmark {

struct DevicesRequest {
  std::optional<int> cuda_device;  // a single CUDA device; none: all
  bool with_roofs = true, with_links = true;
  bool as_json = false;
};

// Prints tables, or the environment of a run (results/README.md) with `backends`.
void print_devices(const DevicesRequest&);

}  // namespace cfdmark
