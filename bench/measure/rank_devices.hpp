// Cases on several CUDA devices, one a rank: their clock, and their devices in the record.
#pragma once

#include <memory>

#include "bench/case/case.hpp"
#include "bench/record/record.hpp"

namespace cfdmark {

// Returns a backend whose waits and clock cover all devices of a case; null for a case on one device. `home`:
// the device of rank 0.
std::unique_ptr<Backend> clock_of_devices(const Case&, Backend& home);

// Adds `devices`, by rank, and the way between them to the `ranks` object of a record, and removes the
// seconds of its hosts, which do not wait for devices. Returns other objects as they are.
Json with_devices(Json ranks, const Case&, const Backend& home);

}  // namespace cfdmark
