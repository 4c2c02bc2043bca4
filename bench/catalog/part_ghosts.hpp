// The ghosts of a rank's field that stand for cells of other ranks, for checks of exchanges.
#pragma once

#include <vector>

#include "kernels/core/partition.hpp"
#include "kernels/device/backend.hpp"
#include "kernels/ranks/ghost_rounds.hpp"

namespace cfdmark {

// Sets the ghosts across the cuts of a part to NaN, so that a value that is read before its message shows.
void poison_ghosts(Backend& of_rank, const RankPart&, const AnyView& field);

// Returns the copies of these ghosts, of a field at cells, over the cells of the whole field that they stand
// for, so that a wrong ghost shows there. No axis is periodic.
std::vector<GhostCopy> ghosts_over_owners(const RankPart&, const AnyView& field, const AnyView& whole);

}  // namespace cfdmark
