// Device code for tests: one function per feature of a launch.
#include "kernels/device/cuda/primitives/dynamic_shared.cuh"
#include "kernels/device/cuda/primitives/grid_barrier.cuh"

namespace cfdmark {

// Computes the share of each block's values in the total. `shares` is memory of all blocks, `sums` of one
// block; both are used on both sides of a barrier.
template <class T, int threads>
__global__ void __launch_bounds__(threads)
    block_shares(const T* values, int n, volatile T* shares, unsigned* arrived) {
  __shared__ T sums[threads];
  const int thread = int(threadIdx.x), block = int(blockIdx.x), blocks = int(gridDim.x);
  T sum = 0;
  for (int i = block * threads + thread; i < n; i += blocks * threads) sum += values[i];
  sums[thread] = sum;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) sums[thread] += sums[thread + half];
  }
  if (thread == 0) shares[block] = sums[0];
  grid_barrier(arrived);
  T total = 0;
  for (int b = 0; b < blocks; ++b) total += shares[b];
  grid_barrier(arrived);  // all blocks have read the sums
  if (thread == 0) shares[block] = sums[0] / total;
  grid_barrier(arrived);  // an odd number of barriers, so that the next launch starts in the other phase
}

// out = the transpose of a matrix of ny rows of nx values, by tiles in dynamic shared memory.
template <class T, int side>
__global__ void __launch_bounds__(256) transpose(const T* in, T* out, int nx, int ny) {
  T* const tile = dynamic_shared<T>();
  constexpr int row = side + 1;
  const int x = int(blockIdx.x) * side, y = int(blockIdx.y) * side;
  for (int j = int(threadIdx.y); j < side && y + j < ny; j += 8)
    for (int i = int(threadIdx.x); i < side && x + i < nx; i += 32)
      tile[j * row + i] = in[(y + j) * nx + x + i];
  __syncthreads();
  for (int j = int(threadIdx.y); j < side && x + j < nx; j += 8)
    for (int i = int(threadIdx.x); i < side && y + i < ny; i += 32)
      out[(x + j) * ny + y + i] = tile[i * row + j];
}

// out = factor in + shift
template <class T>
__global__ void affine(T* out, const T* in, T factor, T shift, int n) {
  const int i = int(blockIdx.x) * 128 + int(threadIdx.x);
  if (i < n) out[i] = factor * in[i] + shift;
}

}  // namespace cfdmark
