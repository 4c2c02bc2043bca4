// Applies the option --device N.
#pragma once

#include <optional>
#include <vector>

#include "bench/case/case.hpp"

namespace cfdmark {

// Returns the chosen device of this kind, the first if none was chosen. Throws std::invalid_argument with the
// available devices if the choice is not among them.
DeviceId chosen_device(BackendKind, std::optional<int> device);

// Moves the cases on cuda to the chosen device. Throws std::invalid_argument also if there are none, or if
// the sweep itself names devices.
void use_device(std::vector<Case>&, std::optional<int> device);

}  // namespace cfdmark
