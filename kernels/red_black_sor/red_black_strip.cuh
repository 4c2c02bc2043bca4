// A strip of columns in a warp's registers, for several red-black iterations in one pass over memory. NVRTC
// reads this file, so it includes no standard header.
//
// A warp has a strip of columns, each lane `cells` adjacent ones, and moves along the rows with a window of
// them in registers. When row y arrives, the first colour of row y - 1 is relaxed. Then the second colour of
// row y - 2 follows, whose neighbours are all new by then: one iteration. The next iteration follows two
// rows behind, and so on:
//
//     row    y + 2    in flight from memory
//            y        arrived                                    iter. 1     iter. 2
//            y - 1    first colour                                  |
//            y - 2    second colour                                 |
//            y - 3    first colour                                              |
//            y - 4    second colour, finished: stored to memory                 |
//
// Half of a cell's neighbours in x belong to the same lane, the other to an adjacent lane. Input and output
// are different arrays, because other warps still need the old values at a strip's edges. Each half-step
// invalidates one more column or row from there, so strips and blocks of rows overlap by 2 depth of them,
// which both compute.
#pragma once

#include "kernels/core/stencil.hpp"
#include "kernels/device/cuda/primitives/strips.cuh"
#include "kernels/device/cuda/primitives/zero_rhs.hpp"

namespace cfdmark {

// True for operators whose coefficients are read from memory; CoefficientsOf is the type of those of a cell.
template <class A>
constexpr bool reads_memory = true;
template <class C>
constexpr bool reads_memory<ConstantStencil<C>> = false;
template <class C>
constexpr bool reads_memory<EdgedStencil<C>> = false;
template <class A>
using CoefficientsOf = decltype(A{}.template at<2>(0, 0, 0));

// B: a view of the right-hand side, or ZeroRhs. behind: finished rows kept after the last one, an even
// number; as many more columns are invalid.
template <class S, class C, class A, class B, int cells, int depth, int behind = 0>
class Strip {
 public:
  using Row = Pack<S, cells>;
  using Coefficients = CoefficientsOf<A>;
  static constexpr bool reads_coefficients = reads_memory<A>;
  static constexpr bool widens = sizeof(C) > sizeof(S);  // values in flight take more registers than the rows
  static constexpr int window = 2 * depth + 4 + behind;  // rows from y + 2 downwards
  static constexpr int source_rows = has_source<B> ? window : 1;
  static constexpr int edge_lanes = (2 * depth + behind + cells - 1) / cells;  // invalid lanes on either side
  static constexpr int own_lanes = 32 - 2 * edge_lanes;

  // first: the lane's first column
  __device__ Strip(const A& a, const View<const S>& from, const B& b, C omega, int first, int sweeps)
      : a_(a), from_(from), b_(b), omega_(omega), first_(first), sweeps_(sweeps) {}

  __device__ __forceinline__ void start(int y) {
    load(y, 0);
    load(y + 1, 1);
  }

  // Accepts row y + phase, after arrive(row, y + phase) has modified it, and returns row y + phase - 2 depth,
  // which is then finished. Cells of the first colour are the even ones in rows with even phase.
  template <class F>
  __device__ __forceinline__ const Row& step(int y, int phase, F&& arrive) {
    const auto slot = [phase](int row) { return slot_of(phase, row); };
    load(y + phase + 2, slot(2));
    arrive(u_[slot(0)], y + phase);
    // Each row relaxes one colour in this step and relaxed the other in the last one, so all shuffles can be
    // issued before the first result is needed.
    constexpr int halves = 2 * depth;
    const int start = (phase + 1) & 1;
    // The same for coefficients from memory. Copies of constant ones would only use registers.
    constexpr int fetched = reads_coefficients ? halves : 1;
    Coefficients at[fetched][cells / 2];
    if constexpr (reads_coefficients) {
#pragma unroll
      for (int half = 0; half < halves; ++half)
#pragma unroll
        for (int n = 0; n < cells / 2; ++n)
          at[half][n] = coefficients(first_ + 2 * n + start, y + phase - 1 - half);
    }
    S beyond[halves];
#pragma unroll
    for (int half = 0; half < halves; ++half) beyond[half] = from_next_lane(start, u_[slot(-1 - half)]);
#pragma unroll
    for (int half = 0; half < halves; ++half) {
      const int row = -1 - half;
      relax(half < 2 * sweeps_, start, at[half % fetched], u_[slot(row)], beyond[half], u_[slot(row - 1)],
            u_[slot(row + 1)], right_[slot(row) % source_rows], y + phase + row);
    }
    return u_[slot(-halves)];
  }

  // Returns b - A u of row y + phase - 2 depth - 1, to be called after step(), when its neighbours are
  // finished too; 0 outside the grid. R: S, or C for unrounded values.
  template <class R>
  __device__ __forceinline__ Pack<R, cells> residual(int y, int phase) const {
    static_assert(behind >= 2);
    const int n = -2 * depth - 1, j = y + phase + n;
    const Row &row = u_[slot_of(phase, n)], &south = u_[slot_of(phase, n - 1)],
              &north = u_[slot_of(phase, n + 1)], &right = right_[slot_of(phase, n) % source_rows];
    const S west_lane = __shfl_up_sync(all_lanes, row.value[cells - 1], 1),
            east_lane = __shfl_down_sync(all_lanes, row.value[0], 1);
    Pack<R, cells> out = {};
    if (j < 0 || j >= from_.ny) return out;
#pragma unroll
    for (int m = 0; m < cells; ++m) {
      const int i = first_ + m;
      if (i < 0 || i >= from_.nx) continue;
      const S west = m == 0 ? west_lane : row.value[m == 0 ? 0 : m - 1];
      const S east = m == cells - 1 ? east_lane : row.value[m == cells - 1 ? m : m + 1];
      out.value[m] = R(stencil_residual<2, C>(
          a_.template at<2>(i, j, 0),
          FivePoints<S, C>{row.value[m], west, east, south.value[m], north.value[m]}, C(right.value[m])));
    }
    return out;
  }

 private:
  __device__ static constexpr int slot_of(int phase, int row) { return (phase + row + 2 * window) % window; }

  static constexpr unsigned all_lanes = 0xffffffffu;

  // Loads rows and packs that contain cells or ghosts; other values are never used. Nothing here reads the
  // loaded values, so the first wait is two rows later.
  __device__ __forceinline__ void load(int y, int slot) {
    u_[slot] = {};
    if constexpr (has_source<B>) right_[slot] = {};
    if (y < -1 || y > from_.ny || first_ < -cells || first_ > from_.nx) return;
    u_[slot] = load_pack<cells>(from_.row(y) + first_);
    if constexpr (has_source<B>) right_[slot] = load_pack<cells>(b_.row(y) + first_);
  }

  // Returns the adjacent lane's neighbour of the outermost of cells start, start + 2, .. of a row.
  __device__ __forceinline__ static S from_next_lane(int start, const Row& row) {
    return start == 0 ? __shfl_up_sync(all_lanes, row.value[cells - 1], 1)
                      : __shfl_down_sync(all_lanes, row.value[0], 1);
  }

  // Returns the coefficients of a cell, or of the nearest cell inside the grid.
  __device__ __forceinline__ Coefficients coefficients(int i, int j) const {
    return a_.template at<2>(min(max(i, 0), from_.nx - 1), min(max(j, 0), from_.ny - 1), 0);
  }
  // Returns the coefficients of cell m of a row: fetched ones, or the constant operator's.
  __device__ __forceinline__ Coefficients of_cell(const Coefficients (&fetched)[cells / 2], int m, int i,
                                                  int j) const {
    if constexpr (reads_coefficients)
      return fetched[m / 2];
    else
      return a_.template at<2>(i, j, 0);
  }

  // Relaxes the cells start, start + 2, .. of row j inside the grid. Values outside are computed and
  // discarded: a branch would separate the half-steps.
  __device__ __forceinline__ void relax(bool wanted, int start, const Coefficients (&at)[cells / 2], Row& row,
                                        S beyond, const Row& south, const Row& north, const Row& right,
                                        int j) const {
    wanted = wanted && j >= 0 && j < from_.ny;
#pragma unroll
    for (int m = 0; m < cells; ++m) {
      if (m % 2 != start) continue;
      const S west = m == 0 ? beyond : row.value[m == 0 ? 0 : m - 1];
      const S east = m == cells - 1 ? beyond : row.value[m == cells - 1 ? m : m + 1];
      const int i = first_ + m;
      const FivePoints<S, C> around{row.value[m], west, east, south.value[m], north.value[m]};
      const S relaxed = S(stencil_over_relax<2, C>(of_cell(at, m, i, j), around, C(right.value[m]), omega_));
      row.value[m] = wanted && i >= 0 && i < from_.nx ? relaxed : row.value[m];
    }
  }

  const A& a_;
  const View<const S> from_;
  const B b_;
  const C omega_;
  const int first_, sweeps_;  // column of the lane; iterations
  // Row y + n of a step has index (phase + n) % window, so that nothing is moved between steps.
  Row u_[window] = {}, right_[source_rows] = {};
};

// Returns the blocks of `warps` strips per multiprocessor to compile for: enough for sixteen warps of 128
// registers per lane, if the rows leave enough of them.
template <class Walk, int warps>
constexpr int resident_blocks() {
  const int registers = (Walk::window + Walk::source_rows) * int(sizeof(typename Walk::Row)) / 4;
  return registers <= 96 && !Walk::reads_coefficients && !Walk::widens && warps <= 16 ? 16 / warps : 1;
}

// The part of a grid that a warp processes: strips in x, parts of `rows` rows (an even number) in y.
template <class Walk, int cells, int warps>
struct StripPlace {
  int first;       // first column of the lane
  int begin, end;  // rows
  bool stores;     // true if the lane's columns belong to this strip
  bool empty;      // true if the whole warp is outside the grid

  // The first strip starts with the lane of column -1, a ghost.
  __device__ StripPlace(int nx, int ny, int rows, int ghosts) {
    constexpr int edge = Walk::edge_lanes;
    const int lane = threadIdx.x, strip = int(blockIdx.x) * warps + int(threadIdx.y);
    const int strip_first = (strip * Walk::own_lanes - 1) * cells;
    first = strip_first + (lane - edge) * cells;
    begin = int(blockIdx.y) * rows, end = min(begin + rows, ny);
    stores = lane >= edge && lane < 32 - edge;
    empty = strip_first >= nx + ghosts;
  }
};

}  // namespace cfdmark
