// The setting block_shape: one shape of CUDA blocks for the kernels of a flow step and of multigrid. Kernels
// without the setting block_z, such as those of columns and reductions, keep their own shape.
#pragma once

#include "kernels/core/config.hpp"

namespace cfdmark {

// Returns the setting block_shape. Values: "usual" (each kernel's own), or a shape such as "32x1x8" in
// threads along x, y and z.
Setting block_shape_setting();
// Returns the number of threads of a config, and block_x, block_y and block_z if block_shape names a shape.
Config threads_and_blocks_of(const Config&);
// Removes the block shape unless the space has the setting block_z: kernels of columns and reductions keep
// their own.
Config blocks_for(const TuningSpace&, const Config&);

}  // namespace cfdmark
