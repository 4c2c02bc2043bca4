// Hand-tuned device code of smoothing.hpp. NVRTC reads this file, so it includes no standard header.
#include "kernels/device/cuda/primitives/device.cuh"
#include "kernels/smoothing/smoothing.hpp"

namespace cfdmark {

// Copies a plane of the block's cells with one layer of ghosts into shared memory. `corner`: the block's
// first cell; k: the plane.
template <class S, int block_x, int block_y>
__device__ __forceinline__ void load_plane(S (&tile)[block_y + 2][block_x + 2], const View<const S>& u,
                                           Cell corner, int k) {
  constexpr int width = block_x + 2, cells = width * (block_y + 2);
  for (int n = int(threadIdx.y) * block_x + int(threadIdx.x); n < cells; n += block_x * block_y) {
    const int i = corner.i + n % width - 1, j = corner.j + n / width - 1;
    if (i <= u.nx && j <= u.ny) tile[n / width][n % width] = u(i, j, k);
  }
}

// A block moves up in z through `planes` planes of its cells, with three rotating planes of u in shared
// memory: the plane above replaces the plane below. After the listing in section 11.6 of the review named in
// smoothing.hpp, extended to domains of many blocks.
template <class S, class C, int block_x, int block_y, int planes>
__global__ void __launch_bounds__(block_x* block_y) smoothing_planes(View<const S> u, View<S> out, C s) {
  __shared__ S tiles[3][block_y + 2][block_x + 2];
  const Cell corner = {int(blockIdx.x) * block_x, int(blockIdx.y) * block_y, int(blockIdx.z) * planes};
  const int tx = threadIdx.x, ty = threadIdx.y;
  const bool inside = corner.i + tx < u.nx && corner.j + ty < u.ny;
  const int end = min(corner.k + planes, u.nz);
  int below = 0, here = 1, above = 2;
  load_plane<S, block_x, block_y>(tiles[below], u, corner, corner.k - 1);
  load_plane<S, block_x, block_y>(tiles[here], u, corner, corner.k);
  for (int k = corner.k; k < end; ++k) {
    load_plane<S, block_x, block_y>(tiles[above], u, corner, k + 1);
    __syncthreads();
    if (inside) {
      auto around = [&](int di, int dj, int dk) {
        const int tile = dk < 0 ? below : dk > 0 ? above : here;
        return C(tiles[tile][ty + 1 + dj][tx + 1 + di]);
      };
      out(corner.i + tx, corner.j + ty, k) = S(Smoothing::smoothed(around, s));
    }
    __syncthreads();  // before the plane below is overwritten
    const int free = below;
    below = here, here = above, above = free;
  }
}

}  // namespace cfdmark
