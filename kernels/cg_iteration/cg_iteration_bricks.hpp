// The passes of cg_iteration.hpp on the CUDA devices of ranks.
#pragma once

#include "kernels/cells/cuda/brick_parts.hpp"
#include "kernels/cg_iteration/cg_iteration.hpp"

namespace cfdmark {

// Returns a pass on a 2-D part of a domain, whose sum remains in bricks. The ghosts of r, p_before and, for
// the update, p must have the values of the neighbouring ranks. The block of the config is made one row high,
// and its number of blocks does not count.
BrickParts cg_iteration_bricks(const CgIterationArgs&, const Config&);

}  // namespace cfdmark
