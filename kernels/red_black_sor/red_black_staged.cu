// Several red-black iterations in one pass over memory, as stages of a pipeline; see sweep_pipeline.cuh.
// NVRTC reads this file, so it includes no standard header.
//
// A warp holds a window of rows. When row y arrives, the first colour of row y - 1 is relaxed in place, then
// the second of row y - 2, whose neighbours are then all new: one iteration. The next iteration follows two
// rows behind:
//
//     row    y        arrived                                    iter. 1     iter. 2
//            y - 1    first colour                                  |
//            y - 2    second colour                                 |
//            y - 3    first colour                                              |
//            y - 4    second colour, finished: handed to the next warp          |
//            y - 5    already handed on; a neighbour of the row before
//
// Windows in registers alone (red_black_strip.cuh) are limited to the registers of a lane, stages to those of
// a multiprocessor.
#include "kernels/core/stencil.hpp"
#include "kernels/device/cuda/primitives/sweep_pipeline.cuh"

namespace cfdmark {

// The iterations of a warp in the registers of a lane. In rows with an even index in the pass, cells of the
// first colour are the even ones.
template <class S, class C, class A, int cells, int each, int ghost_cell>
class RedBlackStage {
 public:
  using Row = Pack<S, cells>;
  static constexpr int halves = 2 * each, window = halves + 2;

  // holds_west, holds_east: true if the lane's last cell is the ghost west of the grid, or its cell
  // `ghost_cell` the ghost east of it.
  __device__ RedBlackStage(const A& a, C omega, bool holds_west, bool holds_east)
      : a_(a), omega_(omega), holds_west_(holds_west), holds_east_(holds_east) {}

  // Accepts a row and returns the row `halves` rows south of it after `each` iterations. phase: index of the
  // row modulo window, a constant after unrolling. right(n): the right-hand side n rows south. keeps(n): true
  // if that row stays unchanged.
  template <class F, class G, class H>
  __device__ __forceinline__ const Row& step(int phase, const Row& arrived, const F& right, const G& keeps,
                                             const H&) {
    const auto at = [phase](int south) { return (phase - south + window) % window; };
    rows_[at(0)] = arrived;
    // Each row relaxes one colour in this step and relaxed the other in the last one, so all shuffles can be
    // issued before the first result is needed.
    const int start = (phase + 1) & 1;
    S beyond[halves];
#pragma unroll
    for (int n = 0; n < halves; ++n) beyond[n] = from_next_lane(start, rows_[at(n + 1)]);
#pragma unroll
    for (int n = 1; n <= halves; n += 2) {
      const Row first = right(n), second = right_[n / 2];
      relax(start, rows_[at(n - 1)], rows_[at(n)], rows_[at(n + 1)], beyond[n - 1], first, keeps(n));
      relax(start, rows_[at(n)], rows_[at(n + 1)], rows_[at(n + 2)], beyond[n], second, keeps(n + 1));
      right_[n / 2] = first;
    }
    return rows_[at(halves)];
  }

 private:
  static constexpr unsigned all_lanes = 0xffffffffu;

  // Returns the adjacent lane's neighbour of the outermost of cells start, start + 2, .. of a row.
  __device__ __forceinline__ static S from_next_lane(int start, const Row& row) {
    return start == 0 ? __shfl_up_sync(all_lanes, row.value[cells - 1], 1)
                      : __shfl_down_sync(all_lanes, row.value[0], 1);
  }

  // Relaxes the cells start, start + 2, .. of the row `centre`.
  __device__ __forceinline__ void relax(int start, const Row& north, Row& centre, const Row& south, S beyond,
                                        const Row& right, bool keeps) const {
#pragma unroll
    for (int m = 0; m < cells; ++m) {
      if (m % 2 != start) continue;
      const FivePoints<S, C> around{centre.value[m], m == 0 ? beyond : centre.value[m == 0 ? 0 : m - 1],
                                    m == cells - 1 ? beyond : centre.value[m == cells - 1 ? m : m + 1],
                                    south.value[m], north.value[m]};
      const S relaxed = S(stencil_over_relax<2, C>(a_, around, C(right.value[m]), omega_));
      const bool is_ghost = (m == cells - 1 && holds_west_) || (m == ghost_cell && holds_east_);
      centre.value[m] = keeps || is_ghost ? centre.value[m] : relaxed;
    }
  }

  const A& a_;
  const C omega_;
  const bool holds_west_, holds_east_;
  // Row n of the pass has index n % window.
  Row rows_[window] = {};
  // Per iteration: right-hand side of the row whose second colour comes next.
  Row right_[each] = {};
};

// Performs `sweeps` (at most each * warps) iterations from `from` into `to`. first_colour: (i + j) & 1 of the
// cells updated first. ghosts: 1 to copy ghosts too, 0 if `to` has them. resident: minimum of resident blocks
// per multiprocessor. ghost_cell: nx modulo the cells of a lane.
template <class S, class C, class A, class B, int packs, int each, int warps, int resident, int ghost_cell>
__global__ void __launch_bounds__(32 * warps, resident)
    red_black_staged(A a, View<const S> from, B b, View<S> to, C omega, int sweeps, int first_colour,
                     int ghosts) {
  using Of = PipelineOf<packs, each, warps, 2>;
  using Stage = RedBlackStage<S, C, A, Of::shape.cells(sizeof(S)), each, ghost_cell>;
  const PipelinePlace<S, Of> place(from.nx, from.ny, ghosts, first_colour);
  PipelinePass<Stage, Of, S, B> pass(from, b, to, sweeps, place,
                                     [&](bool west, bool east) { return Stage(a, omega, west, east); });
  pass.go_down([](auto&&...) {});
}

}  // namespace cfdmark
