// Arguments of red_black_levels.cu. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/core/grid.hpp"
#include "kernels/grid_transfer/grid_transfer_bodies.hpp"

namespace cfdmark {

template <class S, class A>
struct LevelOfCycle {
  A a;
  View<S> u, b, r;  // r: residuals, 0 in the ghosts
  Coarsening by;    // to the next level
};

// Seven levels of coefficient arrays fill the 4 KiB available for arguments of a launch.
constexpr int most_levels_in_a_block = 7;
template <class S, class A>
struct LevelsOfCycle {
  LevelOfCycle<S, A> level[most_levels_in_a_block];
  int count;
};

}  // namespace cfdmark
