// How the domain is cut into blocks of a CUDA device's threads: one shape for all kernels of a step, and for
// the sweeps of multigrid.
#pragma once

#include "kernels/core/config.hpp"

namespace cfdmark {

// "usual", each kernel's own; or one such as "32x1x8", threads along x, y and z.
Setting block_shape_setting();
// The number of threads of a config, and its shape as block_x, block_y and block_z, if it has one.
Config threads_and_blocks_of(const Config&);
// Without a shape if the space is of a kernel that has none along z: columns and reductions keep theirs.
Config blocks_for(const TuningSpace&, const Config&);

}  // namespace cfdmark
