// V-cycles over grids that are smaller than a launch is worth: one block processes all levels from a grid
// down to the coarsest and back. Each pass uses the cell bodies of the separate kernels, so the bits are
// equal; the block synchronises between passes. Fields are in global memory, which a single multiprocessor
// caches. NVRTC reads this file, so it includes no standard header.
#include "kernels/device/cuda/primitives/device.cuh"
#include "kernels/grid_transfer/grid_transfer_bodies.hpp"
#include "kernels/red_black_sor/red_black_levels.hpp"
#include "kernels/red_black_sor/red_black_sor.hpp"
#include "kernels/residual/residual.hpp"

namespace cfdmark {

template <class S, class C, int dims, class A, int threads>
class LevelsInABlock {
 public:
  using Level = LevelOfCycle<S, A>;
  using V = Views<S, C, A, dims, S>;

  __device__ explicit LevelsInABlock(C omega) : omega_(omega) {}

  // Relaxes a level. first_colour: colour that is updated first.
  __device__ __forceinline__ void smooth(const Level& l, int sweeps, int first_colour, C omega) const {
    const typename RedBlackSor::Fields<V> fields{l.a, l.u, read_only(l.b)};
    for (int half = 0; half < 2 * sweeps; ++half) {
      const RedBlackSor kernel{double(omega), ColourOrder::red_black, (first_colour + half) & 1};
      // Half the cells of each row; for odd rows one more, which may be past the end.
      const int pairs = (l.u.nx + 1) / 2;
      for (int n = int(threadIdx.x); n < pairs * l.u.ny * l.u.nz; n += threads) {
        const int row = n / pairs, j = row % l.u.ny, k = row / l.u.ny;
        const int i = 2 * (n - row * pairs) + kernel.first(j, k);
        if (i < l.u.nx) sweep_cell<V>(kernel, fields, i, j, k);
      }
      __syncthreads();
    }
  }

  // Computes the coarse b and sets the coarse u to 0, ghosts included.
  __device__ __forceinline__ void descend(const Level& fine, const Level& coarse) const {
    const typename Residual::Fields<V> fields{fine.a, read_only(fine.u), read_only(fine.b), fine.r};
    for_each_cell(fine.u, [&](int i, int j, int k) { sweep_cell<V>(Residual(), fields, i, j, k); });
    const Restriction<S, C, dims, A> restriction{fine.a, read_only(fine.r), coarse.b, fine.by};
    for_each_cell(coarse.b, [&](int i, int j, int k) { restriction(i, j, k); });
    View<S> all = coarse.u;
    const int below = dims == 3;
    all.nx += 2, all.ny += 2, all.nz += 2 * below;
    for_each_cell(all, [&](int i, int j, int k) { coarse.u(i - 1, j - 1, k - below) = 0; });
  }
  // Adds the coarse correction to the fine u.
  __device__ __forceinline__ void ascend(const Level& fine, const Level& coarse) const {
    const Prolongation<S, C, dims, A> prolongation{fine.a, read_only(coarse.u), fine.u, fine.by};
    for_each_cell(fine.u, [&](int i, int j, int k) { prolongation(i, j, k); });
  }

  // Solves the coarsest level: a single unknown by one iteration, several by many in alternating colour
  // order.
  __device__ __forceinline__ void solve(const Level& l, int sweeps) const {
    const bool one = l.u.nx * l.u.ny * l.u.nz == 1;
    const int half = one ? 1 : (sweeps + 1) / 2;
    smooth(l, half, 0, C(1));
    if (!one) smooth(l, half, 1, C(1));
  }

  __device__ __forceinline__ C omega() const { return omega_; }

 private:
  template <class F>
  __device__ __forceinline__ static void for_each_cell(const View<S>& v, const F& f) {
    for (int n = int(threadIdx.x); n < v.nx * v.ny * v.nz; n += threads) {
      const int row = n / v.nx, j = row % v.ny;
      f(n - row * v.nx, j, row / v.ny);
    }
    __syncthreads();
  }

  const C omega_;
};

// up_first: colour that iterations on the way up begin with.
template <class S, class C, class A, int dims, int threads>
__global__ void __launch_bounds__(threads)
    red_black_levels(LevelsOfCycle<S, A> all, C omega, int nu1, int nu2, int coarsest_sweeps, int up_first) {
  const LevelsInABlock<S, C, dims, A, threads> block(omega);
  const int coarsest = all.count - 1;
  for (int n = 0; n < coarsest; ++n) {
    block.smooth(all.level[n], nu1, 0, omega);
    block.descend(all.level[n], all.level[n + 1]);
  }
  block.solve(all.level[coarsest], coarsest_sweeps);
  for (int n = coarsest - 1; n >= 0; --n) {
    block.ascend(all.level[n], all.level[n + 1]);
    block.smooth(all.level[n], nu2, up_first, omega);
  }
}

}  // namespace cfdmark
