// Block shapes: their tuning spaces, and how many blocks cover a grid.
#pragma once

#include "kernels/backends/cuda_plan.hpp"
#include "kernels/core/grid.hpp"

namespace cfdmark {

// {"block_x", "block_y", "block_z"} and what a method adds. 32 to 1024 threads a block.
TuningSpace block_space(std::vector<Setting> more = {});
// The same for methods whose blocks are flat.
TuningSpace flat_block_space(std::vector<Setting> more = {});

// Flat blocks of whole warps, whose threads join their results (device_reduction.cuh).
TuningSpace reducing_block_space(std::vector<Setting> more = {});

// What one instruction loads at the most.
constexpr int cells_in_16_bytes(std::size_t bytes_of_a_cell) { return 16 / int(bytes_of_a_cell); }

// Flat blocks whose threads have a column of `cells` cells, in y in 2-D and in z in 3-D. Unless chosen, 128 x
// 1 threads have so many, or with 0 those of the usual block 16 bytes of 32-bit values.
TuningSpace column_space(int cells = 0);
inline Extent column_of(int cells, const Grid& g) {
  return g.is_3d() ? Extent{1, 1, cells} : Extent{1, cells, 1};
}

// block_x, block_y, block_z of a config; block_z is 1 where the method has none.
Extent block_of(const Config&);

// The threads a block that device code is compiled for, when it takes the block's shape from its launch: one
// compilation serves many shapes. More threads leave fewer registers to each.
int compiled_for(Extent threads);

// The blocks that cover a grid when each thread has `cells` of it in each direction. Throws
// std::invalid_argument if they are more than a launch can have.
Extent blocks_over(const Grid&, Extent threads, Extent cells = {});

}  // namespace cfdmark
