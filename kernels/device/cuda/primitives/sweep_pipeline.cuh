// Several iterations of a relaxation in one pass over memory. NVRTC reads this file, so it includes no
// standard header.
//
// A block moves down a strip of columns, row by row. Its warps are the stages of a pipeline: each applies
// `each` iterations in registers and hands the finished row to the next warp through shared memory. For
// iterations that depend on one row around (reach 1, Jacobi), two per warp:
//
//     row         warp 0        row         warp 1        row         warp 2
//     y       ->  arrives
//     y - 1       iter. 1
//     y - 2       iter. 2   ->  y - 3       arrives
//                               y - 4       iter. 3
//                               y - 5       iter. 4   ->  y - 6       arrives ..   -> memory
//
// Rows arrive by asynchronous copies issued some steps ahead; there is one barrier per step. Each iteration
// invalidates `reach` columns at a strip's edges and as many rows at a block's, so strips and blocks overlap
// and compute the overlap twice.
//
// A Stage (jacobi_pipelined.cu, red_black_staged.cu) defines what a warp does with a row:
//
//   window                 rows that a lane holds
//   Stage(.., holds_west, holds_east)      true if its last cell, or its cell nx % cells, is a ghost
//   step(phase, row, right, keeps, look)   accepts row n of the pass and returns the finished row, which is
//                          reach * each rows south of it; `phase` is n % window, a constant after unrolling.
//                          right(m): the right-hand side m rows south; keeps(m): true if that row stays
//                          unchanged in the m-th operation on a row; look(m, around, b, cell): see
//                          JacobiStage
#pragma once

#include "kernels/device/cuda/primitives/async_copy.cuh"
#include "kernels/device/cuda/primitives/dynamic_shared.cuh"
#include "kernels/device/cuda/primitives/shared_ring.cuh"
#include "kernels/device/cuda/primitives/strips.cuh"
#include "kernels/device/cuda/primitives/sweep_pipeline.hpp"
#include "kernels/device/cuda/primitives/zero_rhs.hpp"

namespace cfdmark {

// A SweepPipeline as compile-time constants.
template <int packs, int each, int warps, int reach>
struct PipelineOf {
  static constexpr SweepPipeline shape{packs, each, warps, reach};
};

// The part of a grid that a block processes: strips in x, parts of equal size in y.
template <class S, class Of>
struct PipelinePlace {
  static constexpr SweepPipeline shape = Of::shape;
  static constexpr int bytes = int(sizeof(S)), cells = shape.cells(bytes), own = shape.own_lanes(bytes),
                       edge = shape.edge_lanes(bytes);

  int first_lane;                // first lane of the strip; lane 0 of the grid ends with column -1
  int first_column, end_column;  // columns that this strip stores
  int first_row;                 // first row that arrives
  int stored_from, stored_to;    // range of rows that are stored
  int steps;                     // number of steps, one row each

  // For iterations of two half-steps (reach 2), the first row is even, or odd if first_parity is 1.
  __device__ PipelinePlace(int nx, int ny, int ghosts, int first_parity = 0) {
    const int strip = int(blockIdx.x), part = int(blockIdx.y), parts = int(gridDim.y);
    first_lane = strip * own - shape.lead();
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

// The work of a thread in a pass, step by step. B: a view of the right-hand side, or ZeroRhs. judges: true
// if the state after the last iteration is also passed to `look`.
template <class Stage, class Of, class S, class B, bool judges = false>
class PipelinePass {
 public:
  static constexpr SweepPipeline shape = Of::shape;
  using Place = PipelinePlace<S, Of>;
  using Row = Pack<S, Place::cells>;
  static constexpr int round = Stage::window;  // rows after which the stage's phase repeats

  // make(true if the lane's last cell is a ghost, true if its cell nx % cells is one) returns the thread's
  // stage.
  template <class Make>
  __device__ PipelinePass(const View<const S>& from, const B& b, const View<S>& to, int sweeps,
                          const Place& place, const Make& make)
      : from_(from),
        b_(b),
        to_(to),
        sweeps_(sweeps),
        place_(place),
        stage_(make(place.first_lane + lane_ == 0, place.first_lane + lane_ == from.nx / Place::cells + 1)),
        arriving_(0, shape.arriving(), 0, 0),
        arriving_sources_(first_source, shape.source_rows(), 0, 0),
        taken_(warp_ == 0 ? Ring(0, shape.arriving(), 0, place_of_lane(lane_))
                          : handed_by(warp_ - 1, shape.handed() - shape.delay(), place_of_lane(lane_))),
        handed_(handed_by(warp_, 0, place_of_lane(lane_))),
        done_(handed_by(shape.warps - 1, shape.handed() - shape.delay(), 0)),
        sources_(first_source, shape.source_rows(),
                 (shape.source_rows() - warp_ * shape.rows_of_warp()) % shape.source_rows(),
                 place_of_lane(lane_)) {}

  // Runs the pass. Calls look(index of the iteration, row, cell of the lane, neighbours, right-hand side).
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
  // Returns the first column of the lane.
  __device__ __forceinline__ int column() const { return (place_.first_lane + lane_ - 1) * Place::cells; }

 private:
  // Returns true if a round from row n on needs no checks: it is away from the first and last rows of the
  // grid.
  __device__ __forceinline__ bool is_inside(int n) const {
    return (judges || sweeps_ == shape.depth()) && place_.first_row + n >= shape.rows_between() &&
           place_.first_row + n + round < from_.ny;
  }
  // Processes a round from row n on. Unchecked rounds update every row.
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
    const auto right = [&](int south) { return has_source<B> ? load(sources_.before(south)) : Row{}; };
    const int y = place_.first_row + n - warp_ * shape.rows_of_warp();
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
    store(handed_.at(), stage_.step(phase, load(taken_.at()), right, keeps, look_here));
    taken_.go_on(), handed_.go_on(), sources_.go_on();
  }

  // Load and store a lane's part of a row in shared memory; `at` is the offset of its first pack.
  __device__ __forceinline__ static Row load(int at) {
    Row out;
#pragma unroll
    for (int n = 0; n < shape.packs; ++n) {
      const Pack16 pack = *shared(place_of_pack(at, n));
#pragma unroll
      for (int m = 0; m < width; ++m) out.value[n * width + m] = pack.value[m];
    }
    return out;
  }
  __device__ __forceinline__ static void store(int at, const Row& in) {
#pragma unroll
    for (int n = 0; n < shape.packs; ++n) {
      Pack16 pack;
#pragma unroll
      for (int m = 0; m < width; ++m) pack.value[m] = in.value[n * width + m];
      *shared(place_of_pack(at, n)) = pack;
    }
  }

  // Calls f with the offset in shared memory and the first column of each pack of a row that this thread
  // copies.
  template <class F>
  __device__ __forceinline__ void for_each_pack(const F& f) const {
#pragma unroll
    for (int n = 0; n * shape.warps < shape.packs; ++n) {
      const int pack = lane_ + 32 * (warp_ + n * shape.warps), lane = pack / shape.packs;
      if (pack < 32 * shape.packs)
        f(place_of_pack(place_of_lane(lane), pack % shape.packs),
          (place_.first_lane - 1) * Place::cells + pack * width);
    }
  }
  // Starts the copy of row n of the pass; rows come in order.
  __device__ __forceinline__ void fetch(int n) {
    const int y = place_.first_row + n;
    for_each_pack([&](int place, int i) {
      const bool wanted = y >= -1 && y <= from_.ny && i + width >= 0 && i <= from_.nx;
      copy_async(shared(arriving_.at() + place), from_.row(y) + i, wanted);
      if constexpr (has_source<B>) copy_async(shared(arriving_sources_.at() + place), b_.row(y) + i, wanted);
    });
    end_group_of_copies();
    arriving_.go_on(), arriving_sources_.go_on();
  }
  // Stores to memory the row that the last warp handed on `delay` rows before row n; rows come in order.
  __device__ __forceinline__ void put_back(int n) {
    const int j = place_.first_row + n - shape.rows_between();
    if (j >= place_.stored_from && j < place_.stored_to)
      for_each_pack([&](int place, int i) {
        if (i + width > place_.first_column && i < place_.end_column)
          store_between(to_.row(j) + i, *shared(done_.at() + place), i, place_.first_column,
                        place_.end_column);
      });
    done_.go_on();
  }

  static constexpr int width = 16 / int(sizeof(S)),
                       first_source = shape.arriving() + shape.handed() * shape.warps;
  using Pack16 = Pack<S, width>;
  using Ring = SharedRing<shape.row_bytes()>;
  __device__ __forceinline__ static Pack16* shared(int at) {
    return reinterpret_cast<Pack16*>(dynamic_shared<unsigned char>() + at);
  }
  __device__ __forceinline__ static int place_of_lane(int lane) {
    return SweepPipeline::place_of_lane(shape.packs, lane);
  }
  __device__ __forceinline__ static int place_of_pack(int at, int n) {
    return SweepPipeline::place_of_pack(shape.packs, at, n);
  }
  __device__ __forceinline__ static Ring handed_by(int warp, int next, int place) {
    return {shape.arriving() + warp * shape.handed(), shape.handed(), next, place};
  }

  const int lane_ = threadIdx.x, warp_ = threadIdx.y;
  const View<const S>& from_;
  const B& b_;
  const View<S>& to_;
  const int sweeps_;
  const Place& place_;
  Stage stage_;
  // Rows that this thread copies; that its warp reads and hands on; that the last warp has handed on.
  Ring arriving_, arriving_sources_, taken_, handed_, done_;
  Ring sources_;  // right-hand side of the row that the warp reads
};

}  // namespace cfdmark
