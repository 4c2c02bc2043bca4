// The order in which an emulated device runs a plan's work on several streams.
#pragma once

#include <vector>

#include "kernels/device/cuda/plan/cuda_plan.hpp"

namespace cfdmark::emulation {

// Returns the indices of the work in an order that a device might choose: as given on each stream and across
// joins, otherwise stream `first` as early and the others as late as possible. Either of two launches on
// different streams without a join between them comes first in one of these orders.
std::vector<std::size_t> order_of(const std::vector<Work>&, int first);

// Returns the uploads of a plan, without its implicit joins. They may be in flight from the start; until an
// upload ends, the contents of its target are undefined.
std::vector<Upload> on_their_way(const std::vector<Work>&);

int count_streams(const std::vector<Work>&);

}  // namespace cfdmark::emulation
