// Where the threads of persistent CG have their cells. NVRTC reads this file: no standard header here.
//
// A warp has 32 columns side by side, each `cells` high. Only the rim of a warp's cells goes through memory,
// where its neighbours read it: `o` is stored, `.` is not.
//
//       lanes 0 .. 31
//       o o o o o o o      first row
//       o . . . . . o
//       o . . . . . o      `cells` rows
//       o o o o o o o      last row
#pragma once

#include "kernels/backends/strips.cuh"
#include "kernels/core/stencil.hpp"

namespace cfdmark {

template <class S, int block_y, int cells>
struct PersistentCells {
  static constexpr int lanes = 32, threads = lanes * block_y;
  static constexpr unsigned all_lanes = 0xffffffffu;

  int lane, thread;
  int i, first;  // the thread's column, its first row
  // Counted in 32 bits: they stay in registers, and a grid that the device holds is small.
  int pitch, start;
  int rows;  // of the grid's; none where it is not positive

  // A lane takes a cell of the warp's first column and of the one before it, or of its last column and of the
  // one behind it: one load and one store for all, where a lane at a side would have one for each of its
  // cells.
  static_assert(2 * cells <= lanes);
  bool has_side, has_next;  // whether there is such a cell of its own, and of the next column (or a ghost)
  int side, next;           // where they lie
  int side_row, side_lane;  // whose cell it is

  __device__ explicit PersistentCells(const View<S>& field)
      : lane(int(threadIdx.x)), thread(int(threadIdx.y) * lanes + lane) {
    const int across = (field.nx + lanes - 1) / lanes;
    i = int(blockIdx.x) % across * lanes + lane;
    first = (int(blockIdx.x) / across * block_y + int(threadIdx.y)) * cells;
    pitch = int(field.pitch), start = i + first * pitch;
    rows = i < field.nx ? min(cells, field.ny - first) : 0;
    const bool at_west = lane < cells;
    side_row = lane % cells, side_lane = at_west ? 0 : lanes - 1;
    const int column = i - lane + side_lane, next_column = column + (at_west ? -1 : 1);
    const bool has_row = lane < 2 * cells && first + side_row < field.ny;
    has_side = has_row && column < field.nx, has_next = has_row && next_column <= field.nx;
    side = column + (first + side_row) * pitch, next = side + next_column - column;
  }

  __device__ __forceinline__ bool inside(int n) const { return n < rows; }
  // Of what the lanes have from the next columns, the one beside cell n of a lane at a side.
  template <class C>
  __device__ __forceinline__ C beside(C of_next, int n) const {
    return __shfl_sync(all_lanes, of_next, lane == 0 ? n : cells + n);
  }
  // The thread's cells in shared memory lie `threads` apart, from `values` on.
  __device__ __forceinline__ void store_rim(const S* values, S* field) const {
    __syncwarp();
    if (rows > 0) field[start] = values[0];
    if (rows == cells) field[start + (cells - 1) * pitch] = values[(cells - 1) * threads];
    if (has_side) field[side] = values[side_row * threads + side_lane - lane];
  }
  // What an operator makes of values in shared memory, with those around the warp's cells: f(n, value, A
  // value) for each of the thread's cells that the grid has.
  template <class C, class A, class F>
  __device__ __forceinline__ void apply(const A& a, const S* values, C south, C north_of_last, C of_next,
                                        const F& f) const {
    C here = C(values[0]);
#pragma unroll
    for (int n = 0; n < cells; ++n) {
      const C aside = beside(of_next, n);
      C west = __shfl_up_sync(all_lanes, here, 1), east = __shfl_down_sync(all_lanes, here, 1);
      if (lane == 0) west = aside;
      if (lane == lanes - 1) east = aside;
      const C north = n + 1 < cells ? C(values[(n + 1 < cells ? n + 1 : n) * threads]) : north_of_last;
      if (inside(n))
        f(n, here,
          stencil_apply<2, C>(a.template at<2>(i, first + n, 0),
                              FivePoints<C, C>{here, west, east, south, north}));
      south = here, here = north;
    }
  }
};

}  // namespace cfdmark
