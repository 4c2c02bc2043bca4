#include "bench/catalog/device_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cfdmark {

DeviceId chosen_device(BackendKind kind, std::optional<int> device) {
  const DeviceId id(kind, device.value_or(0));
  if (const std::string reason = unavailable_reason(id); device && !reason.empty())
    throw std::invalid_argument(fmt::format("--device {}: {}", *device, reason));
  return id;
}

void use_device(std::vector<Case>& cases, std::optional<int> device) {
  if (!device) return;
  const DeviceId id = chosen_device(BackendKind::cuda, device);
  if (std::any_of(cases.begin(), cases.end(), [](const Case& c) { return c.device != 0; }))
    throw std::invalid_argument(
        fmt::format("--device {}: cannot be combined with `devices` of the sweep", id.index));
  if (std::none_of(cases.begin(), cases.end(),
                   [](const Case& c) { return c.row->backend == BackendKind::cuda; }))
    throw std::invalid_argument(fmt::format("--device {}: the sweep has no case on cuda", id.index));
  for (Case& c : cases)
    if (c.row->backend == BackendKind::cuda) c.device = id.index;
}

}  // namespace cfdmark
