// Several red-black iterations in one pass over memory; see red_black_strip.cuh. NVRTC reads this file, so it
// includes no standard header.
#include "kernels/device/cuda/primitives/device_reduction.cuh"
#include "kernels/red_black_sor/red_black_strip.cuh"

namespace cfdmark {

// Performs `sweeps` (at most depth) iterations from `from` into `to`. first_colour: (i + j) & 1 of the cells
// updated first. ghosts: 1 to copy ghosts too, 0 if `to` has them.
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
  // Starts one row earlier if the second colour has the even cells of even rows.
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

// The same, and the sum of squares of b - A to: squares[n] is the sum over the cells of block n. Lanes add
// theirs row by row, join_block reduces them.
template <class S, class C, class A, class B, int cells, int depth, int warps>
__global__ void __launch_bounds__(32 * warps, resident_blocks<Strip<S, C, A, B, cells, depth, 2>, warps>())
    red_black_pipelined_residual(A a, View<S> from, B b, View<S> to, C omega, int sweeps, int first_colour,
                                 int rows, int ghosts, double* squares) {
  using Walk = Strip<S, C, A, B, cells, depth, 2>;
  const StripPlace<Walk, cells, warps> at(from.nx, from.ny, rows, ghosts);
  double square = 0;
  if (!at.empty) {
    const int stored_from = at.begin == 0 ? -ghosts : at.begin,
              stored_to = at.end == from.ny ? at.end + ghosts : at.end;
    Walk walk(a, read_only(from), b, omega, at.first, sweeps);
    // Residuals of the first and last row need the row before and the row after.
    const int y_end = at.end + 1 + 2 * depth;
    int y = at.begin - 2 - 2 * depth - first_colour;
    for (walk.start(y); y < y_end; y += Walk::window) {
#pragma unroll
      for (int phase = 0; phase < Walk::window; ++phase) {
        if (y + phase >= y_end) break;
        const auto& row = walk.step(y, phase, [](auto&, int) {});
        const int j = y + phase - 2 * depth;
        if (at.stores && j >= stored_from && j < stored_to)
          store_between(to.row(j) + at.first, row, at.first, -ghosts, to.nx + ghosts);
        const Pack<C, cells> r = walk.template residual<C>(y, phase);
        if (!at.stores || j - 1 < at.begin || j - 1 >= at.end) continue;
#pragma unroll
        for (int m = 0; m < cells; ++m) square = multiply_add(double(r.value[m]), double(r.value[m]), square);
      }
    }
  }
  const int thread = int(threadIdx.y) * 32 + int(threadIdx.x);
  square = join_block<SumOperation>(square, thread, 32 * warps);
  if (thread == 0) squares[int(blockIdx.y) * int(gridDim.x) + int(blockIdx.x)] = square;
}

}  // namespace cfdmark
