// What red_black_levels.cu is given. NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/grid.hpp"
#include "kernels/grid_transfer/grid_transfer_bodies.hpp"

namespace cfdmark {

template <class S, class A>
struct LevelOfCycle {
  A a;
  View<S> u, b, r;  // r: residuals; its ghosts are 0
  Coarsening by;    // to the next level
};

// Arguments of a launch: 4 KiB at most, which seven levels of coefficient arrays fill.
constexpr int most_levels_in_a_block = 7;
template <class S, class A>
struct LevelsOfCycle {
  LevelOfCycle<S, A> level[most_levels_in_a_block];
  int count;
};

}  // namespace cfdmark
