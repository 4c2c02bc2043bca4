// Kernels on ranks: each rank runs a method of one pass on its part of the domain.
#pragma once

#include <functional>

#include "bench/case/row.hpp"

namespace cfdmark {

// Returns Row::on_ranks of a kernel's row; null unless it is the plain method, or vector or
// column on CUDA, of a kernel with a cell body. A step exchanges the ghosts that the kernel reads before it,
// or before each colour, and sums over all ranks in the order of the domain: its results are those of one
// rank.
std::function<Row(const RankSetup&)> kernel_on_ranks(const Row&);

}  // namespace cfdmark
