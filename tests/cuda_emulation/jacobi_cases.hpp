// Pipelined Jacobi sweeps on an emulated device: the generator knows the same ones as the test.
#pragma once

#include "kernels/jacobi/jacobi_methods.hpp"

namespace cfdmark {

// Calls f(precision, grid, config) with grids of one strip and of several, of which the last ends anywhere
// in a lane, with sweeps that fill a pipeline, that do not, and that take several launches.
template <class F>
void for_each_jacobi_case(const TuningSpace& space, F f) {
  const auto each = [&](Precision p, const Grid& g, int packs, int a_warp, int warps, int sweeps) {
    f(p, g,
      space.complete({{"packs", packs}, {"sweeps_a_warp", a_warp}, {"warps", warps}, {"sweeps", sweeps}}));
  };
  for (const Grid& g : {Grid{3, 3}, Grid{33, 17}, Grid{5, 103}, Grid{103, 5}})
    for (const int sweeps : {1, 4, 5, 7, 14}) each(Precision::fp64, g, 2, 2, 2, sweeps);
  for (const Grid& g : {Grid{2, 1}, Grid{1, 40}, Grid{260, 9}, Grid{367, 6}})
    each(Precision::fp64, g, 2, 1, 3, 3), each(Precision::fp32, g, 3, 3, 2, 13);
  for (const int packs : {2, 3, 4, 6}) each(Precision::fp64, {131, 23}, packs, 2, 3, 12);
  each(Precision::mixed, {131, 23}, 2, 2, 3, 6);
  each(Precision::fp64, {2, 1}, 4, 2, 8, 2);
}

}  // namespace cfdmark
