// Halves of multigrid levels on an emulated device; the cases are shared by generator and test.
#pragma once

#include <array>

#include "kernels/grid_transfer/grid_transfer.hpp"
#include "kernels/red_black_sor/red_black_methods.hpp"
#include "kernels/residual/residual.hpp"

namespace cfdmark {

// Calls f(precision, fine grid, distances to the boundary, config), with several strips side by side and
// below each other, on a fine grid and on one that is coarse itself.
template <class F>
void for_each_leg_case(F f) {
  const auto pass = red_black_passes(BackendKind::cuda).at(0);
  for (const Precision p : {Precision::fp32, Precision::fp64})
    for (const int cells : {2, 4})
      for (const Grid& g : {Grid{75, 38}, Grid{38, 75}, Grid{131, 17}}) {
        Config config = pass.space.defaults();
        config.set("cells", cells), config.set("row_blocks", 3), config.set(pass.steps, 2);
        for (const auto& to_boundary : {std::array{1.0, 1.0, 1.0}, {0.5, 0.25, 1.0}})
          f(p, g, to_boundary, config);
      }
}

inline const Coarsening in_both_directions{1, 1, 0};

}  // namespace cfdmark
