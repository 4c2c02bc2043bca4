// Device code of reduction.hpp. NVRTC reads this file: no standard header here.
//
// Which thread meets which cell, and in which order results are joined, is fixed by the grid and the config:
// the result has the same bits run after run.
#include "kernels/backends/device.cuh"
#include "kernels/backends/device_reduction.cuh"

namespace cfdmark {

// Each row of threads takes every so-manieth row of the grid; a thread takes `width` neighbouring cells of it
// at a time. A thread's cells of one row are joined in the compute type C, everything else in double.
template <class Op, class S, class C, int two_fields, int width, int block_x, int block_y>
__global__ void __launch_bounds__(threads_of<block_x, block_y>)
    reduction_partial(View<const S> x, View<const S> y, double* partial) {
  const int row_stride = int(gridDim.x) * block_y;
  double total = 0;
  for (int row = int(blockIdx.x) * block_y + int(threadIdx.y); row < x.ny * x.nz; row += row_stride) {
    const S *row_x = x.row(row % x.ny, row / x.ny), *row_y = y.row(row % x.ny, row / x.ny);
    C running[width] = {};
#pragma unroll 4
    for (int i = int(threadIdx.x) * width; i < x.nx; i += block_x * width) {
      const auto from_x = load_pack<width>(row_x + i);
      const auto from_y = two_fields ? load_pack<width>(row_y + i) : from_x;
      for (int n = 0; n < width; ++n)
        if (i + n < x.nx)
          running[n] = Op::template add<C>(running[n], C(from_x.value[n]), C(from_y.value[n]));
    }
    for (int n = 0; n < width; ++n) total = Op::template join<double>(total, double(running[n]));
  }
  total = join_block<Op, block_x * block_y>(total, int(threadIdx.y) * block_x + int(threadIdx.x));
  if (threadIdx.x == 0 && threadIdx.y == 0) partial[blockIdx.x] = total;
}

// product = x y. One thread as many cells as fill 16 bytes of x.
template <class S, class C, int width, int block_x, int block_y>
__global__ void __launch_bounds__(threads_of<block_x, block_y>)
    reduction_products(View<const S> x, View<const S> y, View<C> product) {
  const Cell c = thread_cell<block_x, block_y, 1, width>();
  if (!holds(product, c)) return;
  const auto from_x = load_pack<width>(x.row(c.j, c.k) + c.i),
             from_y = load_pack<width>(y.row(c.j, c.k) + c.i);
  Pack<C, width> values;
  for (int n = 0; n < width; ++n) values.value[n] = C(from_x.value[n]) * C(from_y.value[n]);
  store_pack(product.row(c.j, c.k) + c.i, values, c.i, product.nx);
}

// One block joins the blocks' results.
template <class Op, int threads>
__global__ void __launch_bounds__(threads) reduction_finish(const double* partial, int n, double* result) {
  double total = 0;
  for (int m = int(threadIdx.x); m < n; m += threads) total = Op::template join<double>(total, partial[m]);
  total = join_block<Op, threads>(total, int(threadIdx.x));
  if (threadIdx.x == 0) *result = total;
}

}  // namespace cfdmark
