// On which device to run: what --device N means.
#pragma once

#include <optional>
#include <vector>

#include "bench/catalog/case.hpp"

namespace cfdmark {

// The device of this kind, the first where none was chosen. Throws std::invalid_argument that says which
// devices there are, if the chosen one is not among them.
DeviceId chosen_device(BackendKind, std::optional<int> device);

// Puts the cases on cuda on the device chosen. Throws std::invalid_argument too if there are none, or if they
// say themselves on which device they run.
void use_device(std::vector<Case>&, std::optional<int> device);

}  // namespace cfdmark
