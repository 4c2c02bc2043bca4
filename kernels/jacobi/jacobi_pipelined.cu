// Several Jacobi sweeps in one pass over memory. NVRTC reads this file: no standard header here.
//
// A block goes down a strip of columns, a row a step. Its warps are the stages of a pipeline: each makes
// `each` sweeps in registers and hands the row that is done on to the next warp, through shared memory:
//
//     row         warp 0        row         warp 1        row         warp 2
//     y       ->  arrives
//     y - 1       sweep 1
//     y - 2       sweep 2   ->  y - 3       arrives
//                               y - 4       sweep 3
//                               y - 5       sweep 4   ->  y - 6       arrives ..   -> memory
//
// Two rows between neighbouring sweeps and the one that arrives are all that a lane holds, and each new row
// takes the place of the one south of it. Rows arrive by asynchronous copies, some steps ahead; there is one
// barrier a step. Each sweep spoils a column at a strip's edges and a row at a block's, so strips and blocks
// overlap by as many as there are sweeps, which are computed by both.
//
// Where the residual's norm is asked for, it takes the place of one sweep more: what lies around a cell then
// is what the last sweep has left, and the cell is kept.
#include "kernels/backends/async_copy.cuh"
#include "kernels/backends/device_reduction.cuh"
#include "kernels/backends/dynamic_shared.cuh"
#include "kernels/backends/strips.cuh"
#include "kernels/core/stencil.hpp"
#include "kernels/jacobi/jacobi_pipeline.hpp"

namespace cfdmark {

// Rows in shared memory, a lane's `packs` of 16 bytes apart (JacobiPipeline::pack_stride).
template <class S, int packs>
struct SharedRows {
  static constexpr int width = 16 / int(sizeof(S)), cells = packs * width;
  static constexpr int stride = JacobiPipeline{packs, 1, 1}.pack_stride();
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

// A warp's sweeps in the registers of a lane.
template <class S, class C, class A, int cells, int each, int ghost_cell>
class JacobiStage {
 public:
  using Row = Pack<S, cells>;
  static constexpr int window = 2 * each + 1;

  // Whether the lane's last cell, or its cell `ghost_cell`, is the ghost west or east of the grid.
  __device__ JacobiStage(const A& a, bool holds_west, bool holds_east)
      : a_(a), holds_west_(holds_west), holds_east_(holds_east) {}

  // Takes in a row. Returns the one `each` rows south of it, after as many sweeps. phase: the step's number
  // modulo window, known to the compiler. right(n): the right-hand side n rows south. keeps(n): whether that
  // row is to stay as it is. look(n, what is around a cell, its right-hand side, its number in the lane).
  template <class F, class G, class H>
  __device__ __forceinline__ const Row& step(int phase, const Row& arrived, const F& right, const G& keeps,
                                             const H& look) {
    const auto at = [phase](int back) { return (phase - back + window) % window; };
    // All that comes from neighbouring lanes is under way before the first is needed.
    S west[each], east[each];
#pragma unroll
    for (int n = 0; n < each; ++n) {
      const Row& centre = rows_[at(2 * n + 1)];
      west[n] = __shfl_up_sync(all_lanes, centre.value[cells - 1], 1);
      east[n] = __shfl_down_sync(all_lanes, centre.value[0], 1);
    }
    rows_[at(0)] = arrived;
#pragma unroll
    for (int n = 0; n < each; ++n)
      relax(rows_[at(2 * n)], rows_[at(2 * n + 1)], rows_[at(2 * n + 2)], west[n], east[n], right(n + 1),
            keeps(n + 1), [&](const auto& around, S b, int m) { look(n + 1, around, b, m); });
    return rows_[at(2 * each)];
  }

 private:
  static constexpr unsigned all_lanes = 0xffffffffu;

  // The row `centre` relaxed, in place of the one south of it.
  template <class F>
  __device__ __forceinline__ void relax(const Row& north, const Row& centre, Row& south, S west, S east,
                                        const Row& right, bool keeps, const F& look) const {
#pragma unroll
    for (int m = 0; m < cells; ++m) {
      const FivePoints<S, C> around{centre.value[m], m == 0 ? west : centre.value[m == 0 ? 0 : m - 1],
                                    m == cells - 1 ? east : centre.value[m == cells - 1 ? m : m + 1],
                                    south.value[m], north.value[m]};
      look(around, right.value[m], m);
      const S relaxed = S(stencil_relax<2, C>(a_, around, C(right.value[m])));
      const bool is_ghost = (m == cells - 1 && holds_west_) || (m == ghost_cell && holds_east_);
      south.value[m] = keeps || is_ghost ? centre.value[m] : relaxed;
    }
  }

  const A& a_;
  const bool holds_west_, holds_east_;
  // The row that arrived n steps ago, or what has taken its place, is number (phase - n) % window.
  Row rows_[window] = {};
};

// The part of a grid that a block goes down: strips beside each other in x, parts of equal size in y.
template <class S, int packs, int each, int warps>
struct JacobiPlace {
  static constexpr JacobiPipeline shape{packs, each, warps};
  static constexpr int bytes = int(sizeof(S)), cells = shape.cells(bytes), own = shape.own_lanes(bytes),
                       edge = shape.edge_lanes(bytes);

  int first_lane;                // of the strip; lane 0 of the grid ends with column -1
  int first_column, end_column;  // of the strip's own
  int first_row;                 // that arrives
  int stored_from, stored_to;    // rows
  int steps;

  __device__ JacobiPlace(int nx, int ny, int ghosts) {
    const int strip = int(blockIdx.x), part = int(blockIdx.y), parts = int(gridDim.y);
    first_lane = strip * own;
    first_column = max((first_lane - 1 + (strip == 0 ? 0 : edge)) * cells, -ghosts);
    end_column =
        strip + 1 == int(gridDim.x) ? nx + ghosts : min((first_lane + 31 - edge) * cells, nx + ghosts);
    const int begin = int(Index(ny) * part / parts), end = int(Index(ny) * (part + 1) / parts);
    stored_from = part == 0 ? -ghosts : begin, stored_to = part + 1 == parts ? ny + ghosts : end;
    first_row = max(begin - shape.depth(), -1);
    steps = stored_to - first_row + shape.rows_between();
  }
};

// What a thread does in a pass, step by step. judges: whether it makes the square of the residual, too.
template <class S, class C, class A, class B, int packs, int each, int warps, int ghost_cell,
          bool judges = false>
class JacobiPass {
 public:
  static constexpr JacobiPipeline shape{packs, each, warps};
  using Place = JacobiPlace<S, packs, each, warps>;
  using Rows = SharedRows<S, packs>;
  using Stage = JacobiStage<S, C, A, Place::cells, each, ghost_cell>;
  static constexpr int window = Stage::window;

  __device__ JacobiPass(const A& a, const View<const S>& from, const B& b, const View<S>& to, int sweeps,
                        const Place& place)
      : a_(a),
        from_(from),
        b_(b),
        to_(to),
        sweeps_(sweeps),
        place_(place),
        arriving_{dynamic_shared<typename Rows::Pack16>()},
        handed_{arriving_.row(shape.arriving())},
        sources_{handed_.row(2 * warps)},
        sweep_(a, place.first_lane + lane_ == 0, place.first_lane + lane_ == from.nx / Place::cells + 1) {}

  __device__ __forceinline__ void start() const {
    for (int n = 0; n < JacobiPipeline::ahead; ++n) fetch(n);
  }

  // Step n. phase: n modulo window, known to the compiler. Unchecked, no row is to stay as it is.
  template <bool checked>
  __device__ __forceinline__ void step(int n, int phase) {
    wait_for_copies<JacobiPipeline::ahead - 1>();
    __syncthreads();
    fetch(n + JacobiPipeline::ahead);
    const auto arrived = stage_ == 0 ? arriving_.load(n % shape.arriving(), lane_)
                                     : handed_.load(2 * stage_ - 1 - n % 2, lane_);
    const int behind = stage_ * (each + 1), y = place_.first_row + n - behind;
    const auto right = [&](int south) {
      if constexpr (has_source<B>)
        return sources_.load((n - behind - south + shape.source_rows()) % shape.source_rows(), lane_);
      else
        return typename Rows::Row{};
    };
    const auto keeps = [&](int south) {
      const int j = y - south;
      const bool is_swept = stage_ * each + south <= sweeps_;
      if constexpr (judges)
        if (!is_swept) return true;
      return checked && (j < 0 || j >= from_.ny || !is_swept);
    };
    const auto look = [&](int south, const FivePoints<S, C>& around, S b, int m) {
      if constexpr (judges) {
        const int j = y - south, i = (place_.first_lane + lane_ - 1) * Place::cells + m;
        if (stage_ * each + south != sweeps_ + 1 || j < place_.stored_from || j >= place_.stored_to ||
            i < place_.first_column || i >= place_.end_column)
          return;
        const double r = double(stencil_residual<2, C>(a_, around, C(b)));
        square_ = multiply_add(r, r, square_);
      }
    };
    handed_.store(2 * stage_ + n % 2, lane_, sweep_.step(phase, arrived, right, keeps, look));
    put_back(n);
  }
  // Whether steps n up to n + window need no check: away from the grid's first and last rows.
  __device__ __forceinline__ bool is_inside(int n) const {
    return (judges || sweeps_ == shape.depth()) && place_.first_row + n >= shape.rows_between() &&
           place_.first_row + n + window < from_.ny;
  }
  // Of the residuals of the thread's cells, row by row.
  __device__ __forceinline__ double square() const { return square_; }

 private:
  // The packs of a row that this thread copies, and their first columns.
  template <class F>
  __device__ __forceinline__ void for_each_pack(const F& f) const {
#pragma unroll
    for (int n = 0; n * warps < packs; ++n) {
      const int pack = lane_ + 32 * (stage_ + n * warps);
      if (pack < 32 * packs) f(pack, (place_.first_lane - 1) * Place::cells + pack * Rows::width);
    }
  }
  // Begins to copy what arrives at a step.
  __device__ __forceinline__ void fetch(int step) const {
    const int y = place_.first_row + step;
    for_each_pack([&](int pack, int i) {
      const bool wanted = y <= from_.ny && i + Rows::width >= 0 && i <= from_.nx;
      copy_async(&arriving_.pack(step % shape.arriving(), pack), from_.row(y) + i, wanted);
      if constexpr (has_source<B>)
        copy_async(&sources_.pack(step % shape.source_rows(), pack), b_.row(y) + i, wanted);
    });
    end_group_of_copies();
  }
  // To memory what the last warp handed on a step ago.
  __device__ __forceinline__ void put_back(int step) const {
    const int j = place_.first_row + step - shape.rows_between();
    if (j < place_.stored_from || j >= place_.stored_to) return;
    for_each_pack([&](int pack, int i) {
      if (i + Rows::width > place_.first_column && i < place_.end_column)
        store_between(to_.row(j) + i, handed_.pack(2 * warps - 1 - step % 2, pack), i, place_.first_column,
                      place_.end_column);
    });
  }

  const int lane_ = threadIdx.x, stage_ = threadIdx.y;
  const A& a_;
  const View<const S>& from_;
  const B& b_;
  const View<S>& to_;
  const int sweeps_;
  const Place& place_;
  const Rows arriving_, handed_, sources_;
  Stage sweep_;
  double square_ = 0;
};

template <class Pass>
__device__ __forceinline__ void go_down(Pass& pass, int steps) {
  pass.start();
  for (int n = 0; n < steps; n += Pass::window) {
    if (pass.is_inside(n)) {
#pragma unroll
      for (int phase = 0; phase < Pass::window; ++phase) pass.template step<false>(n + phase, phase);
    } else {
#pragma unroll
      for (int phase = 0; phase < Pass::window; ++phase) pass.template step<true>(n + phase, phase);
    }
  }
  wait_for_copies<0>();
}

// `sweeps`, at most each * warps, of `from` into `to`. ghosts: 1 if `to` is to have them too, 0 if it has.
// ghost_cell: nx modulo the cells of a lane. resident: blocks that a multiprocessor is to hold.
template <class S, class C, class A, class B, int packs, int each, int warps, int resident, int ghost_cell>
__global__ void __launch_bounds__(32 * warps, resident)
    jacobi_pipelined(A a, View<const S> from, B b, View<S> to, int sweeps, int ghosts) {
  using Pass = JacobiPass<S, C, A, B, packs, each, warps, ghost_cell>;
  const typename Pass::Place place(from.nx, from.ny, ghosts);
  Pass pass(a, from, b, to, sweeps, place);
  go_down(pass, place.steps);
}

// The same without ghosts, of one sweep less at most, and the squares of b - A to: squares[n] is the sum over
// the cells of block n, whose threads add theirs row by row, and are joined as join_block does it.
template <class S, class C, class A, class B, int packs, int each, int warps, int resident, int ghost_cell>
__global__ void __launch_bounds__(32 * warps, resident)
    jacobi_pipelined_residual(A a, View<const S> from, B b, View<S> to, int sweeps, double* squares) {
  using Pass = JacobiPass<S, C, A, B, packs, each, warps, ghost_cell, true>;
  const typename Pass::Place place(from.nx, from.ny, 0);
  Pass pass(a, from, b, to, sweeps, place);
  go_down(pass, place.steps);
  const int thread = int(threadIdx.y) * 32 + int(threadIdx.x);
  const double square = join_block<SumOperation, 32 * warps>(pass.square(), thread);
  if (thread == 0) squares[int(blockIdx.y) * int(gridDim.x) + int(blockIdx.x)] = square;
}

}  // namespace cfdmark
