// Several Jacobi sweeps in one pass over memory: stages of a pipeline, see sweep_pipeline.cuh. NVRTC reads
// this file: no standard header here.
//
// Two rows between neighbouring sweeps and the one that arrives are all that a lane holds, and each new row
// takes the place of the one south of it.
//
// Where the residual's norm is asked for, it takes the place of one sweep more: what lies around a cell then
// is what the last sweep has left, and the cell is kept.
#include "kernels/backends/device_reduction.cuh"
#include "kernels/backends/sweep_pipeline.cuh"
#include "kernels/core/stencil.hpp"

namespace cfdmark {

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
  // modulo window, known to the compiler. right(n): the right-hand side n rows south. keeps(n): whether
  // that row is to stay as it is. look(n, what is around a cell, its right-hand side, its number in the
  // lane).
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

// `sweeps`, at most each * warps, of `from` into `to`. ghosts: 1 if `to` is to have them too, 0 if it has.
// resident: blocks that a multiprocessor is to hold. ghost_cell: nx modulo the
// cells of a lane.
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

// The same without ghosts, of one sweep less at most, and the squares of b - A to: squares[n] is the sum over
// the cells of block n, whose threads add theirs row by row, and are joined as join_block does it.
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
