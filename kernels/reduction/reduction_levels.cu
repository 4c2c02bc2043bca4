// Reductions level by level, as in chapter 4 of Menon 2008. NVRTC reads this file, so it includes no standard
// header.
//
// A level reduces a rectangle to half its width and half its height by combining four values each: two by two
// adjacent ones (`local`), or one from each quadrant (`quarter`). If the width or height is odd, missing
// values are skipped.
#include "kernels/device/cuda/primitives/device.cuh"
#include "kernels/reduction/reduction.hpp"

namespace cfdmark {

// Calls f(i, j) for the existing values, at most four, that cell (i, j) of the next level combines, in a
// fixed order.
template <bool quarter, class F>
__device__ __forceinline__ void for_four(int i, int j, int width, int height, const F& f) {
  const int half_width = (width + 1) / 2, half_height = (height + 1) / 2;
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    const int right = n % 2, up = n / 2;
    const int from_i = quarter ? i + right * half_width : 2 * i + right;
    const int from_j = quarter ? j + up * half_height : 2 * j + up;
    if (from_i < width && from_j < height) f(from_i, from_j);
  }
}

// The first level, from the cells' numbers. The rectangle consists of the rows of all planes.
template <class K, class V, class C, int quarter, int most_threads>
__global__ void __launch_bounds__(most_threads)
    reduction_first_level(K kernel, typename K::template Fields<V> fields, Cells cells, C* out) {
  const int width = cells.nx, height = cells.ny * cells.nz;
  const Cell c = thread_cell<>();
  if (c.i >= (width + 1) / 2 || c.j >= (height + 1) / 2) return;
  C joined = 0;
  for_four<quarter == 1>(c.i, c.j, width, height, [&](int i, int row) {
    joined = K::Reduction::add(joined, sweep_cell<V>(kernel, fields, i, row % cells.ny, row / cells.ny));
  });
  out[Index(c.j) * ((width + 1) / 2) + c.i] = joined;
}

// A further level, from a dense rectangle.
template <class Op, class C, int quarter, int most_threads>
__global__ void __launch_bounds__(most_threads)
    reduction_next_level(const C* in, int width, int height, C* out) {
  const Cell c = thread_cell<>();
  if (c.i >= (width + 1) / 2 || c.j >= (height + 1) / 2) return;
  C joined = 0;
  for_four<quarter == 1>(c.i, c.j, width, height, [&](int i, int j) {
    joined = Op::template join<C>(joined, in[Index(j) * width + i]);
  });
  out[Index(c.j) * ((width + 1) / 2) + c.i] = joined;
}

}  // namespace cfdmark
