// Several Jacobi iterations in one pass over memory, as stages of a pipeline; see sweep_pipeline.cuh. NVRTC
// reads this file, so it includes no standard header.
//
// A lane holds two rows per iteration and the arriving row. Each new row replaces the row south of it.
//
// A requested residual takes the place of one more iteration: it reads the state after the last iteration and
// keeps the cell.
#include "kernels/core/stencil.hpp"
#include "kernels/device/cuda/primitives/device_reduction.cuh"
#include "kernels/device/cuda/primitives/sweep_pipeline.cuh"

namespace cfdmark {

// The iterations of a warp in the registers of a lane.
template <class S, class C, class A, int cells, int each, int ghost_cell>
class JacobiStage {
 public:
  using Row = Pack<S, cells>;
  static constexpr int window = 2 * each + 1;

  // holds_west, holds_east: true if the lane's last cell is the ghost west of the grid, or its cell
  // `ghost_cell` the ghost east of it.
  __device__ JacobiStage(const A& a, bool holds_west, bool holds_east)
      : a_(a), holds_west_(holds_west), holds_east_(holds_east) {}

  // Accepts a row and returns the row `each` rows south of it after `each` iterations. phase: number of the
  // step modulo window, a constant after unrolling. right(n): the right-hand side n rows south. keeps(n):
  // true if that row stays unchanged. look(n, neighbours of a cell, its right-hand side, its index in the
  // lane).
  template <class F, class G, class H>
  __device__ __forceinline__ const Row& step(int phase, const Row& arrived, const F& right, const G& keeps,
                                             const H& look) {
    const auto at = [phase](int back) { return (phase - back + window) % window; };
    // All shuffles are issued before the first result is needed.
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

  // Relaxes the row `centre` and stores it in place of the row south of it.
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
  // The row that arrived n steps ago, or its replacement, has index (phase - n) % window.
  Row rows_[window] = {};
};

// Performs `sweeps` (at most each * warps) iterations from `from` into `to`. ghosts: 1 to copy ghosts too, 0
// if `to` has them. resident: minimum of resident blocks per multiprocessor. ghost_cell: nx modulo the cells
// of a lane.
template <class S, class C, class A, class B, int packs, int each, int warps, int resident, int ghost_cell>
__global__ void __launch_bounds__(32 * warps, resident)
    jacobi_pipelined(A a, View<const S> from, B b, View<S> to, int sweeps, int ghosts) {
  using Of = PipelineOf<packs, each, warps, 1>;
  using Stage = JacobiStage<S, C, A, Of::shape.cells(sizeof(S)), each, ghost_cell>;
  const PipelinePlace<S, Of> place(from.nx, from.ny, ghosts);
  PipelinePass<Stage, Of, S, B> pass(from, b, to, sweeps, place,
                                     [&](bool west, bool east) { return Stage(a, west, east); });
  pass.go_down([](auto&&...) {});
}

// The same without ghosts and with one iteration less at most, and the sum of squares of b - A to: squares[n]
// is the sum over the cells of block n. Threads add theirs row by row, join_block reduces them.
template <class S, class C, class A, class B, int packs, int each, int warps, int resident, int ghost_cell>
__global__ void __launch_bounds__(32 * warps, resident)
    jacobi_pipelined_residual(A a, View<const S> from, B b, View<S> to, int sweeps, double* squares) {
  using Of = PipelineOf<packs, each, warps, 1>;
  using Stage = JacobiStage<S, C, A, Of::shape.cells(sizeof(S)), each, ghost_cell>;
  const PipelinePlace<S, Of> place(from.nx, from.ny, 0);
  PipelinePass<Stage, Of, S, B, true> pass(from, b, to, sweeps, place,
                                           [&](bool west, bool east) { return Stage(a, west, east); });
  double square = 0;
  pass.go_down([&](int sweep, int j, int m, const FivePoints<S, C>& around, S b_here) {
    const int i = pass.column() + m;
    if (sweep != sweeps + 1 || j < place.stored_from || j >= place.stored_to || i < place.first_column ||
        i >= place.end_column)
      return;
    const double r = double(stencil_residual<2, C>(a, around, C(b_here)));
    square = multiply_add(r, r, square);
  });
  const int thread = int(threadIdx.y) * 32 + int(threadIdx.x);
  square = join_block<SumOperation>(square, thread, 32 * warps);
  if (thread == 0) squares[int(blockIdx.y) * int(gridDim.x) + int(blockIdx.x)] = square;
}

}  // namespace cfdmark
