// Device code of csr_apply.hpp. Neighbouring threads share a row: they read neighbouring entries, then add
// their partial sums. NVRTC reads this file, so it includes no standard header.
#include "kernels/core/grid.hpp"
#include "kernels/csr_apply/csr_apply.hpp"
#include "kernels/device/cuda/primitives/device_reduction.cuh"

namespace cfdmark {

// The number of threads per row must be a power of two up to 32. Blocks have whole warps, all of whose
// threads exchange values, also those beyond the last row.
template <class S, class C, class Rows, int row_threads>
__global__ void multiply_csr_rows(Rows matrix, CsrVectors<S> v) {
  const Index thread = Index(blockIdx.x) * int(blockDim.x) + int(threadIdx.x);
  const bool has_row = thread / row_threads < matrix.rows;
  const int row = has_row ? int(thread / row_threads) : 0, first = int(thread % row_threads);
  C sum = has_row ? matrix.template product<C>(row, v.x, first, row_threads) : C(0);
#pragma unroll
  for (int other = row_threads / 2; other > 0; other /= 2)
    sum = sum + __shfl_xor_sync(0xffffffffu, sum, other);
  if (has_row && first == 0) v.store(row, sum);
}

// The same with the entries of a block's rows read side by side, whatever rows they belong to: first all
// numbers and values of a part, then all values of x, so that many loads are in flight; then a thread adds
// those of its row, in their order. A fixed number of blocks share the rows. of_thread: entries of a part for
// each thread. with_dot: the result is x . y.
template <class S, class C, class Rows, int threads, int of_thread, int with_dot>
__global__ void __launch_bounds__(threads)
    stream_csr_rows(Rows matrix, CsrVectors<S> v, BlockResults blocks, double* result) {
  static_assert(NearColumns::group % threads == 0, "a block's rows are of one group");
  using V = typename Rows::Value;
  constexpr int part = of_thread * threads;  // entries
  __shared__ V values[part];
  __shared__ S gathered[part];
  const int thread = int(threadIdx.x);
  double total = 0;
  for (Index first = Index(blockIdx.x) * threads; first < matrix.rows; first += Index(gridDim.x) * threads) {
    const int end_row = int(first + threads < matrix.rows ? first + threads : Index(matrix.rows));
    const int row = int(first) + thread;
    const bool has_row = row < end_row;
    const int begin = has_row ? matrix.row_begin[row] : 0, end = has_row ? matrix.row_begin[row + 1] : 0;
    const int last = matrix.row_begin[end_row];
    const auto group = matrix.columns.group_of(int(first));
    C sum = 0;
    for (int from = matrix.row_begin[first]; from < last; from += part) {
      int column[of_thread];  // as stored
      V value[of_thread];
#pragma unroll
      for (int n = 0; n < of_thread; ++n) {
        const int own = from + n * threads + thread, at = own < last ? own : last - 1;
        column[n] = matrix.columns.stored[at], value[n] = matrix.value[at];
      }
#pragma unroll
      for (int n = 0; n < of_thread; ++n) column[n] = group.column(column[n]);
      S x[of_thread];
#pragma unroll
      for (int n = 0; n < of_thread; ++n) x[n] = v.x[column[n]];
      __syncthreads();  // all threads have read the previous part
#pragma unroll
      for (int n = 0; n < of_thread; ++n)
        values[n * threads + thread] = value[n], gathered[n * threads + thread] = x[n];
      __syncthreads();
      for (int at = begin > from ? begin : from, to = end < from + part ? end : from + part; at < to; ++at)
        sum = multiply_add(C(values[at - from]), C(gathered[at - from]), sum);
    }
    if (!has_row) continue;
    v.store(row, sum);
    if (with_dot) total += double(C(v.x[row])) * double(C(S(sum)));
  }
  if constexpr (with_dot == 1) join_blocks<SumOperation>(total, thread, threads, blocks, result);
}

}  // namespace cfdmark
