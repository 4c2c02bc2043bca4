// Sizes of multigrid on ranks: how long levels stay parted, and where cuts must lie for that.
#pragma once

#include "kernels/core/config.hpp"
#include "kernels/core/grid.hpp"

namespace cfdmark {

// Setting of multigrid on ranks: fewest cells of a rank, on average, on a level that is parted.
extern const Setting gather_cells;
// Returns its value; the default for a config without it.
int gather_cells_of(const Config&);
// Setting of multigrid on ranks: which ranks have the levels that are not parted.
//   redundant   every rank repeats them, so that nothing has to be sent back
//   gathered    the first rank has them, and sends each rank its part of the correction
extern const Setting coarse_levels;
// Returns true for gathered levels; the default for a config without it.
bool gathers_coarse_levels(const Config&);

// Returns the multiples at which cuts should lie so that levels stay parted down to gather_cells, at least 2.
int multigrid_alignment(const Grid& domain, int ranks, const Config&);

}  // namespace cfdmark
