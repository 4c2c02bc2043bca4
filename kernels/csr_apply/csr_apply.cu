// Device code of csr_apply.hpp. Neighbouring threads share a row: they read neighbouring entries, then add
// their partial sums. NVRTC reads this file, so it includes no standard header.
#include "kernels/core/grid.hpp"
#include "kernels/csr_apply/csr_apply.hpp"
#include "kernels/device/cuda/primitives/device_reduction.cuh"

namespace cfdmark {

// The number of threads per row must be a power of two up to 32. Blocks have whole warps, all of whose
// threads exchange values, also those beyond the last row.
template <class S, class C, int row_threads>
__global__ void multiply_csr_rows(CsrRows<S> matrix, CsrVectors<S> v) {
  const Index thread = Index(blockIdx.x) * int(blockDim.x) + int(threadIdx.x);
  const bool has_row = thread / row_threads < matrix.rows;
  const int row = has_row ? int(thread / row_threads) : 0, first = int(thread % row_threads);
  C sum = has_row ? matrix.template product<C>(row, v.x, first, row_threads) : C(0);
#pragma unroll
  for (int other = row_threads / 2; other > 0; other /= 2)
    sum = sum + __shfl_xor_sync(0xffffffffu, sum, other);
  if (has_row && first == 0) v.store(row, sum);
}

// y = A x, and the result is x . y. A fixed number of blocks share the rows.
template <class S, class C, int row_threads>
__global__ void multiply_csr_rows_and_dot(CsrRows<S> matrix, CsrVectors<S> v, BlockResults blocks,
                                          double* result) {
  constexpr int lanes = 32, rows_of_warp = lanes / row_threads;
  const int thread = int(threadIdx.x), lane = thread % lanes, first = lane % row_threads;
  const Index warp = (Index(blockIdx.x) * int(blockDim.x) + thread) / lanes;
  const Index warps = Index(gridDim.x) * int(blockDim.x) / lanes;
  double total = 0;
  for (Index group = warp * rows_of_warp; group < matrix.rows; group += warps * rows_of_warp) {
    const Index mine = group + lane / row_threads;
    const bool has_row = mine < matrix.rows;
    const int row = has_row ? int(mine) : 0;
    C sum = has_row ? matrix.template product<C>(row, v.x, first, row_threads) : C(0);
#pragma unroll
    for (int other = row_threads / 2; other > 0; other /= 2)
      sum = sum + __shfl_xor_sync(0xffffffffu, sum, other);
    if (has_row && first == 0) {
      v.store(row, sum);
      total += double(C(v.x[row])) * double(C(S(sum)));
    }
  }
  join_blocks<SumOperation>(total, thread, int(blockDim.x), blocks, result);
}

}  // namespace cfdmark
