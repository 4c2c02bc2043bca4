// Kernels on ranks: each rank runs a method on its part of the domain.
#pragma once

#include <functional>

#include "bench/case/row.hpp"

namespace cfdmark {

// Returns Row::on_ranks of a kernel's row; null unless it is of the plain method, or on CUDA of one that
// reads ghosts of the fields. A step exchanges the ghosts that the kernel reads before it, or before each
// colour, and sums over all ranks in the order of the domain: its results are those of one rank. A method of
// several steps exchanges once before them: parts then overlap (kernels/ranks/overlap.hpp).
std::function<Row(const RankSetup&)> kernel_on_ranks(const Row&);

}  // namespace cfdmark
