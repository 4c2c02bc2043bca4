// Blocks of a cooperative launch must all be co-resident, so a device supports such a method up to a number
// of blocks, and thus up to a grid size.
#pragma once

#include <functional>

#include "bench/case/row.hpp"

namespace cfdmark {

// Returns the blocks of the row's largest cooperative launch, planned without a device; 0 if there is none or
// the row has no device code.
long long cooperative_blocks(const Row&, const Grid&, const Config&, const Config& workload);

// Throws std::invalid_argument with both numbers if `prepare` plans more cooperative blocks than `on` holds
// at once. `prepare` gets a backend without a device. Does nothing if `on` is not a device of this machine.
void check_cooperative_launches(Backend& on, const std::function<void(Backend&)>& prepare);

}  // namespace cfdmark
