// The launch of copy_with_ghosts.cu.
#pragma once

#include "kernels/device/cuda/plan/cuda_blocks.hpp"

namespace cfdmark {

// Returns a launch that copies cells and one layer of ghosts. S: stored type of both; from: a View<S> of a
// field on `g`, or a shared_ptr to one.
template <class S, class From>
Launch copy_with_ghosts(const Grid& g, const From& from, const View<S>& to) {
  constexpr Extent threads = {64, 4};
  const Grid all(g.nx + 2, g.ny + 2, g.nz + 2 * g.halo_z(), g.dims);
  return {{"kernels/device/cuda/primitives/copy_with_ghosts.cu",
           instance<S>("copy_with_ghosts", {g.is_3d() ? 3 : 2})},
          blocks_over(all, threads),
          threads,
          Arguments(from, to)};
}

}  // namespace cfdmark
