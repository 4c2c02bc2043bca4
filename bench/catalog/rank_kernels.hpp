// Kernels that are communication between ranks alone: the exchange of ghosts, and a sum; on hosts and between
// CUDA devices.
#pragma once

#include <vector>

#include "bench/case/row.hpp"

namespace cfdmark {

// Adds the rows of `halo` and `sum_over_ranks`: ranks that are threads. A run makes many steps, since
// starting the threads is not what is measured.
void add_rank_kernels(std::vector<Row>&);

}  // namespace cfdmark
