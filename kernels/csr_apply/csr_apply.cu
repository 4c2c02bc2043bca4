// Device code of csr_apply.hpp. Neighbouring threads share a row: they read neighbouring entries, then add
// their partial sums. NVRTC reads this file, so it includes no standard header.
#include "kernels/core/grid.hpp"
#include "kernels/csr_apply/csr_apply.hpp"

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

}  // namespace cfdmark
