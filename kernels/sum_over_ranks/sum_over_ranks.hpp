// A sum over ranks alone, in the order of the domain: each rank has a number for each of its rows, and all
// ranks get the sum of the numbers of all rows; between devices, these numbers.
#pragma once

#include <memory>

#include "kernels/ranks/rank_kernel.hpp"

namespace cfdmark {

// Collective. Makes the part of a rank. Where rows are cut, their partial results go from west to east first.
std::unique_ptr<RankKernelPart> sum_part(Ranks&, const RankPlace&, const Partition&);
// Returns the bytes of the numbers that all ranks have together before and after a sum.
double sum_bytes(const Grid&, int ranks);

}  // namespace cfdmark
