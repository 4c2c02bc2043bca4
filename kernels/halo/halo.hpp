// The exchange of ghosts alone. The domain is periodic along its slowest axis: every rank of slabs sends two
// messages, and one rank copies its own ghosts.
#pragma once

#include <memory>

#include "kernels/core/rank_setup.hpp"
#include "kernels/ranks/rank_kernel.hpp"

namespace cfdmark {

// Returns the parts of a domain. Throws std::invalid_argument if it cannot be parted so.
Partition halo_partition(const Grid&, const RankSetup&);
// Returns why ranks cannot exchange this number of layers; empty if they can.
std::string halo_refusal(const Grid&, const RankSetup&, int layers);
// Returns the bytes of the fields of all ranks.
double halo_bytes(const Grid&, const RankSetup&, Precision, int layers);

// Collective. Makes the part of a rank: a field at cells, in the storage of the precision, with this number
// of layers of ghosts.
std::unique_ptr<RankKernelPart> halo_part(Ranks&, const RankPlace&, const Partition&, Precision, int layers);

}  // namespace cfdmark
