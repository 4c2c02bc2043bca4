// Blocks that wait for each other must all be resident: a method that launches them so fits a device up to
// some number of blocks, and so up to some size of the grid.
#pragma once

#include <functional>

#include "bench/catalog/catalog.hpp"

namespace cfdmark {

// Of the largest cooperative launch of the row there, worked out without a device; 0 where it makes none, or
// has no device code.
long long cooperative_blocks(const Row&, const Grid&, const Config&, const Config& question);

// Throws std::invalid_argument with both numbers if `prepare`, which is given a backend without a device,
// plans more blocks to wait for each other than `on`, a device of this machine, holds at once; of any other
// backend nothing is asked.
void check_cooperative_launches(Backend& on, const std::function<void(Backend&)>& prepare);

}  // namespace cfdmark
