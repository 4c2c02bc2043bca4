// Parts that overlap: each also has the cells of other ranks that its own cells depend on in several steps,
// so that ranks make those steps on one message. What lies beyond is wrong after the first step, and the
// error reaches no cell of the rank's own.
#pragma once

#include <vector>

#include "kernels/ranks/ghost_rounds.hpp"

namespace cfdmark {

// Returns the cells of a rank's part and of `layers` more across each cut, but none beyond the domain.
// Throws std::invalid_argument if the domain is periodic across a cut.
CellBox with_overlap(const Partition&, int rank, int layers);

// Returns the round that copies to a rank's field the cells that other ranks own. `fields`: the field of each
// rank, with the cells of its part with_overlap().
GhostRounds overlap_rounds(const Partition&, int rank, int layers, const std::vector<AnyView>& fields);

}  // namespace cfdmark
