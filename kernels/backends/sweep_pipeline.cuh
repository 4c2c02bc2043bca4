// Several sweeps of a relaxation in one pass over memory. NVRTC reads this file: no standard header here.
//
// A block goes down a strip of columns, row by row. Its warps are the stages of a pipeline: each makes `each`
// sweeps in registers and hands the row that is done on to the next warp, through shared memory. Of sweeps
// that hang on one row around (reach 1, Jacobi's), two a warp:
//
//     row         warp 0        row         warp 1        row         warp 2
//     y       ->  arrives
//     y - 1       sweep 1
//     y - 2       sweep 2   ->  y - 3       arrives
//                               y - 4       sweep 3
//                               y - 5       sweep 4   ->  y - 6       arrives ..   -> memory
//
// Rows arrive by asynchronous copies, some steps ahead; there is one barrier a step. Each sweep spoils
// `reach` columns at a strip's edges and as many rows at a block's, so strips and blocks overlap by what all
// sweeps spoil, which is computed by both.
//
// What a warp does with a row is a Stage's (jacobi_pipelined.cu, red_black_staged.cu):
//     window                 rows that a lane holds
//     Stage(.., holds_west, holds_east)      whether its last cell, or its cell nx % cells, is a ghost
//     step(phase, row, right, keeps, look)   takes in row n of the pass, n % window being `phase`, which the
//                            compiler knows; returns the row reach * each south of it, which is done.
//                            right(m): the right-hand side m rows south; keeps(m): whether that row stays as
//                            it is at what is m-th done to a row; look(m, around, b, cell): see JacobiStage
#pragma once

#include "kernels/backends/async_copy.cuh"
#include "kernels/backends/dynamic_shared.cuh"
#include "kernels/backends/no_source.hpp"
#include "kernels/backends/strips.cuh"
#include "kernels/backends/sweep_pipeline.hpp"

namespace cfdmark {

// Rows in shared memory, a lane's `packs` of 16 bytes apart (SweepPipeline::pack_stride).
template <class S, int packs>
struct SharedRows {
  static constexpr int width = 16 / int(sizeof(S)), cells = packs * width;
  static constexpr int stride = SweepPipeline{packs, 1, 1, 1}.pack_stride();
  using Pack16 = Pack<S, width>;
  using Row = Pack<S, cells>;

  Pack16* first;

  __device__ __forceinline__ Pack16* row(int n) const { return first + n * packs * stride; }
  // Pack number n of the strip.
  __device__ __forceinline__ Pack16& pack(int row_number, int n) const {
    return row(row_number)[n % packs * stride + n / packs];
  }
  __device__ __forceinline__ Row load(int row_number, int lane) const {
    Row out;
#pragma unroll
    for (int n = 0; n < packs; ++n) {
      const Pack16 pack = row(row_number)[n * stride + lane];
#pragma unroll
      for (int m = 0; m < width; ++m) out.value[n * width + m] = pack.value[m];
    }
    return out;
  }
  __device__ __forceinline__ void store(int row_number, int lane, const Row& in) const {
#pragma unroll
    for (int n = 0; n < packs; ++n) {
      Pack16 pack;
#pragma unroll
      for (int m = 0; m < width; ++m) pack.value[m] = in.value[n * width + m];
      row(row_number)[n * stride + lane] = pack;
    }
  }
};

// A SweepPipeline that the compiler knows.
template <int packs, int each, int warps, int reach>
struct PipelineOf {
  static constexpr SweepPipeline shape{packs, each, warps, reach};
};

// The part of a grid that a block goes down: strips beside each other in x, parts of equal size in y.
template <class S, class Of>
struct PipelinePlace {
  static constexpr SweepPipeline shape = Of::shape;
  static constexpr int bytes = int(sizeof(S)), cells = shape.cells(bytes), own = shape.own_lanes(bytes),
                       edge = shape.edge_lanes(bytes);

  int first_lane;                // of the strip; lane 0 of the grid ends with column -1
  int first_column, end_column;  // of the strip's own
  int first_row;                 // that arrives
  int stored_from, stored_to;    // rows
  int steps;                     // in rows

  // The first row that arrives is even, or odd with first_parity 1, where a sweep has two halves.
  __device__ PipelinePlace(int nx, int ny, int ghosts, int first_parity = 0) {
    const int strip = int(blockIdx.x), part = int(blockIdx.y), parts = int(gridDim.y);
    first_lane = strip * own;
    first_column = max((first_lane - 1 + (strip == 0 ? 0 : edge)) * cells, -ghosts);
    end_column =
        strip + 1 == int(gridDim.x) ? nx + ghosts : min((first_lane + 31 - edge) * cells, nx + ghosts);
    const int begin = int(Index(ny) * part / parts), end = int(Index(ny) * (part + 1) / parts);
    stored_from = part == 0 ? -ghosts : begin, stored_to = part + 1 == parts ? ny + ghosts : end;
    first_row = max(begin - shape.overlap(), -1);
    if (shape.reach == 2) first_row -= (first_row + first_parity) & 1;
    steps = stored_to - first_row + shape.rows_between();
  }
};

// What a thread does in a pass, step by step. B: a view of the right-hand side, or NoSource. judges: whether
// what comes behind the last sweep is looked at as well.
template <class Stage, class Of, class S, class B, bool judges = false>
class PipelinePass {
 public:
  static constexpr SweepPipeline shape = Of::shape;
  using Place = PipelinePlace<S, Of>;
  using Rows = SharedRows<S, shape.packs>;
  static constexpr int round = Stage::window;  // rows after which the stage's phase begins anew

  // make(whether the lane's last cell is a ghost, whether its cell nx % cells is): the thread's stage
  template <class Make>
  __device__ PipelinePass(const View<const S>& from, const B& b, const View<S>& to, int sweeps,
                          const Place& place, const Make& make)
      : from_(from),
        b_(b),
        to_(to),
        sweeps_(sweeps),
        place_(place),
        arriving_{dynamic_shared<typename Rows::Pack16>()},
        handed_{arriving_.row(shape.arriving())},
        sources_{handed_.row(shape.handed() * shape.warps)},
        stage_(make(place.first_lane + lane_ == 0, place.first_lane + lane_ == from.nx / Place::cells + 1)) {}

  // look(number of the sweep, row, cell of the lane, what is around it, its right-hand side)
  template <class F>
  __device__ __forceinline__ void go_down(const F& look) {
    for (int n = 0; n < shape.ahead(); ++n) fetch(n);
    for (int n = 0; n < place_.steps; n += round)
      if (is_inside(n))
        steps<false>(n, look);
      else
        steps<true>(n, look);
    wait_for_copies<0>();
  }
  // The first column of the lane.
  __device__ __forceinline__ int column() const { return (place_.first_lane + lane_ - 1) * Place::cells; }

 private:
  // Whether a round from row n on needs no check: away from the grid's first and last rows.
  __device__ __forceinline__ bool is_inside(int n) const {
    return (judges || sweeps_ == shape.depth()) && place_.first_row + n >= shape.rows_between() &&
           place_.first_row + n + round < from_.ny;
  }
  // A round from row n on. Unchecked, no row is to stay as it is.
  template <bool checked, class F>
  __device__ __forceinline__ void steps(int n, const F& look) {
#pragma unroll
    for (int m = 0; m < round; ++m) {
      wait_for_copies<shape.ahead() - 1>();
      __syncthreads();
      fetch(n + m + shape.ahead());
      step<checked>(n + m, m, look);
      put_back(n + m);
    }
  }
  template <bool checked, class F>
  __device__ __forceinline__ void step(int n, int phase, const F& look) {
    const auto arrived = warp_ == 0 ? arriving_.load(n % shape.arriving(), lane_)
                                    : handed_.load(slot(warp_ - 1, n - shape.delay()), lane_);
    const int behind = warp_ * shape.rows_of_warp(), y = place_.first_row + n - behind;
    const auto right = [&](int south) {
      if constexpr (has_source<B>)
        return sources_.load((n - behind - south + shape.source_rows()) % shape.source_rows(), lane_);
      else
        return typename Rows::Row{};
    };
    const auto keeps = [&](int south) {
      const int j = y - south;
      const bool is_swept = warp_ * shape.each * shape.reach + south <= sweeps_ * shape.reach;
      if constexpr (judges)
        if (!is_swept) return true;
      return checked && (j < 0 || j >= from_.ny || !is_swept);
    };
    const auto look_here = [&](int south, const auto& around, S b, int m) {
      look(warp_ * shape.each + south, y - south, m, around, b);
    };
    handed_.store(slot(warp_, n), lane_, stage_.step(phase, arrived, right, keeps, look_here));
  }

  // Of what a warp hands on, row n of the pass. n: at least -delay.
  __device__ __forceinline__ static int slot(int warp, int n) {
    return warp * shape.handed() + (n + shape.handed()) % shape.handed();
  }
  // The packs of a row that this thread copies, and their first columns.
  template <class F>
  __device__ __forceinline__ void for_each_pack(const F& f) const {
#pragma unroll
    for (int n = 0; n * shape.warps < shape.packs; ++n) {
      const int pack = lane_ + 32 * (warp_ + n * shape.warps);
      if (pack < 32 * shape.packs) f(pack, (place_.first_lane - 1) * Place::cells + pack * Rows::width);
    }
  }
  // Begins to copy row n of the pass.
  __device__ __forceinline__ void fetch(int n) const {
    const int y = place_.first_row + n;
    for_each_pack([&](int pack, int i) {
      const bool wanted = y >= -1 && y <= from_.ny && i + Rows::width >= 0 && i <= from_.nx;
      copy_async(&arriving_.pack(n % shape.arriving(), pack), from_.row(y) + i, wanted);
      if constexpr (has_source<B>)
        copy_async(&sources_.pack(n % shape.source_rows(), pack), b_.row(y) + i, wanted);
    });
    end_group_of_copies();
  }
  // To memory what the last warp handed on `delay` rows before row n.
  __device__ __forceinline__ void put_back(int n) const {
    const int j = place_.first_row + n - shape.rows_between();
    if (j < place_.stored_from || j >= place_.stored_to) return;
    for_each_pack([&](int pack, int i) {
      if (i + Rows::width > place_.first_column && i < place_.end_column)
        store_between(to_.row(j) + i, handed_.pack(slot(shape.warps - 1, n - shape.delay()), pack), i,
                      place_.first_column, place_.end_column);
    });
  }

  const int lane_ = threadIdx.x, warp_ = threadIdx.y;
  const View<const S>& from_;
  const B& b_;
  const View<S>& to_;
  const int sweeps_;
  const Place& place_;
  const Rows arriving_, handed_, sources_;
  Stage stage_;
};

}  // namespace cfdmark
