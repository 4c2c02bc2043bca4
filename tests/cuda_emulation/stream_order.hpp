// In which order an emulated device runs what a plan gives to several streams.
#pragma once

#include <vector>

#include "kernels/backends/cuda_plan.hpp"

namespace cfdmark::emulation {

// Indices of the work in an order that a device might choose: on each stream, and across joins, as given;
// otherwise stream `first` runs as early as it can and the others as late. Of two launches on different
// streams that no join orders, each comes first in one of these orders.
std::vector<std::size_t> order_of(const std::vector<Work>&, int first);

// The uploads of a plan, without the joins that it leaves unsaid, which may be under way from its beginning:
// until they end nobody knows what lies where they go.
std::vector<Upload> on_their_way(const std::vector<Work>&);

int count_streams(const std::vector<Work>&);

}  // namespace cfdmark::emulation
