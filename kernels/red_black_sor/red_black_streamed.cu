// One red-black iteration in one pass over memory. NVRTC reads this file, so it includes no standard header.
//
// A warp has a strip of columns, each lane `cells` adjacent ones, and moves along the rows with the last four
// in registers. When row y arrives, the red cells of row y - 1 are relaxed, then the black ones of row y - 2,
// whose neighbours are then all new. Half of a cell's neighbours in x belong to the same lane, the other to
// an adjacent lane. Input and output are different arrays, because other warps still need the old values at a
// strip's edges. Strips overlap by two lanes and blocks of rows by four rows, which both compute.
#include "kernels/core/stencil.hpp"
#include "kernels/device/cuda/primitives/device.cuh"
#include "kernels/device/cuda/primitives/zero_rhs.hpp"

namespace cfdmark {

template <class S, class C, class A, class B, int cells>
class Strip {
 public:
  using Row = Pack<S, cells>;

  // first: the lane's first column, even
  __device__ Strip(const A& a, const View<S>& from, const B& b, C omega, int first)
      : a_(a), from_(read_only(from)), b_(b), omega_(omega), first_(first) {}

  __device__ __forceinline__ void start(int y) {
    load(y, 0);
    load(y + 1, 1);
  }

  // Accepts row y of the given parity (0 even, 1 odd) and returns row y - 2, which is then finished.
  template <int parity>
  __device__ __forceinline__ const Row& step(int y) {
    for (int n = 3; n > 0; --n) u_[n] = u_[n - 1];
    u_[0] = next_u_[0], next_u_[0] = next_u_[1];
    if constexpr (has_source<B>) {
      for (int n = 2; n > 0; --n) right_[n] = right_[n - 1];
      right_[0] = next_right_[0], next_right_[0] = next_right_[1];
    }
    load(y + 2, 1);
    relax<1 - parity>(u_[1], u_[2], u_[0], right_[1], y - 1);
    relax<1 - parity>(u_[2], u_[3], u_[1], right_[2], y - 2);
    return u_[2];
  }

 private:
  static constexpr unsigned all_lanes = 0xffffffffu;

  // Loads rows and packs that contain cells or ghosts; other values are never used.
  __device__ __forceinline__ void load(int y, int slot) {
    next_u_[slot] = {}, next_right_[slot] = {};
    if (y < -1 || y > from_.ny || first_ > from_.nx) return;
    next_u_[slot] = load_pack<cells>(from_.row(y) + first_);
    if constexpr (has_source<B>) next_right_[slot] = load_pack<cells>(b_.row(y) + first_);
  }

  // Relaxes the cells start, start + 2, .. of row j.
  template <int start>
  __device__ __forceinline__ void relax(Row& row, const Row& south, const Row& north, const Row& right,
                                        int j) const {
    const S beyond = start == 0 ? __shfl_up_sync(all_lanes, row.value[cells - 1], 1)
                                : __shfl_down_sync(all_lanes, row.value[0], 1);
    if (j < 0 || j >= from_.ny) return;
#pragma unroll
    for (int m = start; m < cells; m += 2) {
      const S west = m == 0 ? beyond : row.value[m == 0 ? 0 : m - 1];
      const S east = m == cells - 1 ? beyond : row.value[m == cells - 1 ? m : m + 1];
      const int i = first_ + m;
      if (i < 0 || i >= from_.nx) continue;
      auto around = [&](int di, int dj, int) {
        return C(di < 0   ? west
                 : di > 0 ? east
                 : dj < 0 ? south.value[m]
                 : dj > 0 ? north.value[m]
                          : row.value[m]);
      };
      row.value[m] =
          S(stencil_over_relax<2, C>(a_.template at<2>(i, j, 0), around, C(right.value[m]), omega_));
    }
  }

  const A& a_;
  const View<const S> from_;
  const B b_;
  const C omega_;
  const int first_;
  Row u_[4] = {}, right_[3] = {};            // rows y, y - 1, ..; right_ is 0 without a right-hand side
  Row next_u_[2] = {}, next_right_[2] = {};  // rows y + 1 and y + 2, in flight
};

// Blocks of `warps` strips; each processes an even number of rows: `compiled_rows`, or `launched_rows` if
// that is 0, so that one compilation serves all grids.
template <class S, class C, class A, class B, int cells, int warps, int compiled_rows>
__global__ void __launch_bounds__(32 * warps)
    red_black_streamed(A a, View<S> from, B b, View<S> to, C omega, int launched_rows) {
  const int rows = compiled_rows > 0 ? compiled_rows : launched_rows;
  const int lane = threadIdx.x, strip = int(blockIdx.x) * warps + int(threadIdx.y);
  const int first = (strip * 30 + lane - 1) * cells;
  const int begin = int(blockIdx.y) * rows, end = min(begin + rows, from.ny);
  if (first - lane * cells >= from.nx) return;  // the whole warp
  const bool stores = lane > 0 && lane < 31 && first < from.nx;
  Strip<S, C, A, B, cells> walk(a, from, b, omega, first);
  auto store = [&](int j, const Pack<S, cells>& row) {
    if (stores && j >= begin && j < end) store_pack(to.row(j) + first, row, first, to.nx);
  };
  walk.start(begin - 2);
  for (int y = begin - 2; y < end + 2; y += 2) {
    store(y - 2, walk.template step<0>(y));
    store(y - 1, walk.template step<1>(y + 1));
  }
}

}  // namespace cfdmark
