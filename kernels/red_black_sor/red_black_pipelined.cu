// Several red-black sweeps in one pass over memory: see red_black_strip.cuh. NVRTC reads this file: no
// standard header here.
#include "kernels/red_black_sor/red_black_strip.cuh"

namespace cfdmark {

// `sweeps`, at most depth, of `from`, into `to`. first_colour: (i + j) & 1 of the cells that are updated
// first. ghosts: 1 if `to` is to have them too, 0 if it has.
template <class S, class C, class A, class B, int cells, int depth, int warps>
__global__ void __launch_bounds__(32 * warps, resident_blocks<Strip<S, C, A, B, cells, depth>, warps>())
    red_black_pipelined(A a, View<S> from, B b, View<S> to, C omega, int sweeps, int first_colour, int rows,
                        int ghosts) {
  using Walk = Strip<S, C, A, B, cells, depth>;
  const StripPlace<Walk, cells, warps> at(from.nx, from.ny, rows, ghosts);
  if (at.empty) return;
  const int stored_from = at.begin == 0 ? -ghosts : at.begin,
            stored_to = at.end == from.ny ? at.end + ghosts : at.end;
  Walk walk(a, read_only(from), b, omega, at.first, sweeps);
  // A row earlier where the second colour has the even cells of even rows.
  int y = at.begin - 2 * depth - first_colour;
  for (walk.start(y); y < stored_to + 2 * depth; y += Walk::window) {
#pragma unroll
    for (int phase = 0; phase < Walk::window; ++phase) {
      if (y + phase >= stored_to + 2 * depth) return;
      const auto& row = walk.step(y, phase, [](auto&, int) {});
      const int j = y + phase - 2 * depth;
      if (at.stores && j >= stored_from)
        store_between(to.row(j) + at.first, row, at.first, -ghosts, to.nx + ghosts);
    }
  }
}

}  // namespace cfdmark
