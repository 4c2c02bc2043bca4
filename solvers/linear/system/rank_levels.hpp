// Sizes of multigrid on ranks: how long levels stay parted, and where cuts must lie for that.
#pragma once

#include "kernels/core/config.hpp"
#include "kernels/core/grid.hpp"

namespace cfdmark {

// Setting of multigrid on ranks: fewest cells of a rank, on average, on a level that is parted.
extern const Setting gather_cells;
// The same setting on ranks of CUDA. A level of 2^20 cells a rank takes some 10 us a pass there, as long as a
// few exchanges.
Setting gather_cells_on_devices();
// Returns its value; the default for a config without it.
int gather_cells_of(const Config&);
// Setting of multigrid on ranks: which ranks have the levels that are not parted.
//   redundant   every rank repeats them, so that nothing has to be sent back
//   gathered    the first rank has them, and sends each rank its part of the correction
extern const Setting coarse_levels;
// Returns true for gathered levels; the default for a config without it.
bool gathers_coarse_levels(const Config&);
// Name of the setting of a cycle's launches on CUDA. Cycles on ranks do not have it, because they use no
// graph.
inline constexpr const char* cycle_launch_mode = "launch_mode";

// Returns the multiples at which cuts should lie so that levels stay parted down to gather_cells, at least 2.
int multigrid_alignment(const Grid& domain, int ranks, const Config&);

}  // namespace cfdmark
