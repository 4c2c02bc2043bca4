// The cells of the threads of persistent CG, and the messages between their blocks. NVRTC reads this file, so
// it includes no standard header.
//
// A warp has 32 adjacent columns of `cells` rows; the warps of a block are stacked in y, with their values in
// shared memory. Only the rim of a block's cells (`o`) is sent to other blocks:
//
//       lanes 0 .. 31
//       o o o o o o o      last row
//       o . . . . . o
//       o . . . . . o      `rows_of_block` rows
//       o . . . . . o
//       o o o o o o o      first row
#pragma once

#include "kernels/core/stencil.hpp"
#include "kernels/device/cuda/primitives/flagged_value.cuh"
#include "kernels/device/cuda/primitives/strips.cuh"

namespace cfdmark {

// Values adjacent to those of a thread: south of its first cell, north of its last, and of the next column.
template <class S>
struct Beside {
  S south = 0, north = 0, next = 0;
};

template <class S, int block_y, int cells>
struct PersistentCells {
  static constexpr int lanes = 32, threads = lanes * block_y, rows_of_block = block_y * cells;
  static constexpr unsigned all_lanes = 0xffffffffu;
  // Messages of a block: its first row, last row, first column, last column. Two sets alternate.
  static constexpr int last_row = lanes, first_column = 2 * lanes, last_column = 2 * lanes + rows_of_block,
                       of_rim = 2 * (lanes + rows_of_block);

  int lane, thread;
  int i, first;  // the thread's column and first row
  // 32-bit offsets save registers; a grid that fits on the device is small.
  int pitch, start;
  int rows;  // rows inside the grid; none if not positive

  // Each of the first `cells` lanes handles one cell of the column west of the warp, each of the last `cells`
  // lanes one of the column east of it. So a lane has one message at most; otherwise the outermost lanes
  // would have one per cell.
  static_assert(2 * cells <= lanes);
  bool has_next;            // true if that cell exists or is a ghost
  int next;                 // its offset
  int side_row, side_lane;  // row and lane of the warp's cell adjacent to it

  // Indices of the messages that this thread sends: for the block's first or last row, and for a side;
  // negative: none. Received messages are from_row and from_side after them, or before them at the first row
  // and first column.
  int row_to, side_to, from_row;
  static constexpr int from_side = of_rim - rows_of_block;

  __device__ explicit PersistentCells(const View<S>& field)
      : lane(int(threadIdx.x)), thread(int(threadIdx.y) * lanes + lane) {
    const int block = int(blockIdx.x), across = (field.nx + lanes - 1) / lanes;
    const int row_of_warp = int(threadIdx.y) * cells;
    i = block % across * lanes + lane;
    first = block / across * rows_of_block + row_of_warp;
    pitch = int(field.pitch), start = i + first * pitch;
    rows = i < field.nx ? min(cells, field.ny - first) : 0;
    const bool at_west = lane < cells;
    side_row = at_west ? lane : lanes - 1 - lane, side_lane = at_west ? 0 : lanes - 1;
    const int column = i - lane + side_lane, next_column = column + (at_west ? -1 : 1);
    const bool has_row = side_row < cells && first + side_row < field.ny;
    has_next = has_row && next_column <= field.nx;
    next = next_column + (first + side_row) * pitch;

    row_to = side_to = -1, from_row = across * of_rim - last_row;
    const bool is_lowest = threadIdx.y == 0, is_highest = threadIdx.y == block_y - 1;
    const int beside = block + (is_lowest ? -across : across);  // the block of the adjacent row
    if (i < field.nx && (is_lowest || is_highest) && beside >= 0 && beside < int(gridDim.x))
      row_to = block * of_rim + lane + (is_lowest ? 0 : last_row);
    if (has_row && next_column >= 0 && next_column < field.nx)
      side_to = block * of_rim + row_of_warp + side_row + (at_west ? first_column : last_column);
  }

  __device__ __forceinline__ bool inside(int n) const { return n < rows; }
  // Returns the neighbour of cell n for an outermost lane from the values `of_next`: lane 0 reads lane n,
  // lane 31 reads lane 31 - n.
  template <class C>
  __device__ __forceinline__ C beside(C of_next, int n) const {
    return __shfl_xor_sync(all_lanes, of_next, n);
  }
  // Returns adjacent values from a field in memory, whose ghosts are 0.
  __device__ __forceinline__ Beside<S> read_beside(const View<S>& field) const {
    Beside<S> values;
    if (inside(0)) values.south = field.origin[start - pitch];
    if (inside(cells - 1)) values.north = field.origin[start + cells * pitch];
    if (has_next) values.next = field.origin[next];
    return values;
  }

  // Sends the rim. `values`: the thread's cells in shared memory, `threads` apart and 0 outside the grid.
  __device__ __forceinline__ void send_rim(const S* values, FlaggedValue* rims, unsigned round) const {
    FlaggedValue* const to = rims + int(round % 2) * int(gridDim.x) * of_rim;
    __syncwarp();
    if (row_to >= 0)
      send(to + row_to, flagged(double(values[threadIdx.y == 0 ? 0 : (cells - 1) * threads]), round));
    if (side_to >= 0)
      send(to + side_to, flagged(double(values[side_row * threads + side_lane - lane]), round));
  }
  // Returns adjacent values from other blocks' messages and from shared memory. To be called between two
  // barriers.
  __device__ __forceinline__ Beside<S> receive_beside(const S* values, const FlaggedValue* rims,
                                                      unsigned round) const {
    const FlaggedValue* const from = rims + int(round % 2) * int(gridDim.x) * of_rim;
    FlaggedValue of_row = flagged(0, round), of_side = of_row;
    while (true) {
      if (row_to >= 0) of_row = look_at(from + row_to + (threadIdx.y == 0 ? -from_row : from_row));
      if (side_to >= 0) of_side = look_at(from + side_to + (lane < cells ? -from_side : from_side));
      if (is_of(of_row, round) && is_of(of_side, round)) break;
      let_others_go_on();
    }
    const S row = S(value_of(of_row));
    return {threadIdx.y == 0 ? row : values[(cells - 1) * threads - lanes],
            threadIdx.y == block_y - 1 ? row : values[lanes], S(value_of(of_side))};
  }

  // Applies the operator to values in shared memory and those around the warp's cells. Calls f(n, value, A
  // value) for each cell of the thread inside the grid.
  template <class C, class A, class F>
  __device__ __forceinline__ void apply(const A& a, const S* values, const Beside<S>& around,
                                        const F& f) const {
    C here = C(values[0]), south = C(around.south);
#pragma unroll 8  // unrolling by 16 exceeds the registers of 512 threads
    for (int n = 0; n < cells; ++n) {
      const C aside = beside(C(around.next), n);
      C west = __shfl_up_sync(all_lanes, here, 1), east = __shfl_down_sync(all_lanes, here, 1);
      if (lane == 0) west = aside;
      if (lane == lanes - 1) east = aside;
      const C north = n + 1 < cells ? C(values[(n + 1 < cells ? n + 1 : n) * threads]) : C(around.north);
      if (inside(n))
        f(n, here,
          stencil_apply<2, C>(a.template at<2>(i, first + n, 0),
                              FivePoints<C, C>{here, west, east, south, north}));
      south = here, here = north;
    }
  }
};

}  // namespace cfdmark
