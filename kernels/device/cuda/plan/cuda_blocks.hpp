// Thread block shapes: their tuning spaces, and the number of blocks that cover a grid.
#pragma once

#include "kernels/core/grid.hpp"
#include "kernels/device/cuda/plan/cuda_plan.hpp"

namespace cfdmark {

// Returns settings block_x, block_y and block_z, then those of the method. Blocks have 32 to 1024 threads.
TuningSpace block_space(std::vector<Setting> more = {});
// The same without block_z.
TuningSpace flat_block_space(std::vector<Setting> more = {});

// The same for flat blocks of whole warps, as block reductions require (device_reduction.cuh).
TuningSpace reducing_block_space(std::vector<Setting> more = {});

// Returns the number of values that one 16-byte load instruction reads.
constexpr int cells_in_16_bytes(std::size_t bytes_of_a_cell) { return 16 / int(bytes_of_a_cell); }

// Returns the settings of flat blocks whose threads each update a column of `cells` cells along y in 2-D, z
// in 3-D. With `cells` given, the default block is 128 x 1. With 0, the default is 64 x 4 threads and as many
// cells as fill 16 bytes in fp32.
TuningSpace column_space(int cells = 0);
inline Extent column_of(int cells, const Grid& g) {
  return g.is_3d() ? Extent{1, 1, cells} : Extent{1, cells, 1};
}

// Returns block_x, block_y and block_z of a config; block_z is 1 if the method lacks it.
Extent block_of(const Config&);

// Returns the launch bound to compile for, at least `threads`. Few distinct bounds let one compilation serve
// many block shapes; a larger bound leaves fewer registers per thread.
int compiled_for(Extent threads);

// Returns the number of blocks that cover a grid with `cells` cells per thread in each direction. Throws
// std::invalid_argument if they exceed the limits of a launch.
Extent blocks_over(const Grid&, Extent threads, Extent cells = {});

}  // namespace cfdmark
