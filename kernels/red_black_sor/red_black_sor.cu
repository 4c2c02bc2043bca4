// Hand-tuned device code of red_black_sor.hpp. NVRTC reads this file, so it includes no standard header.
//
// A launch updates the cells of one colour in place. It reads the other colour's values, which are not
// written, and each cell's own. Tiles may also copy values that other blocks are writing; nothing is computed
// from these.
#include "kernels/core/stencil.hpp"
#include "kernels/device/cuda/primitives/device.cuh"

namespace cfdmark {

__device__ __forceinline__ bool has_colour(Cell c, int colour) { return ((c.i + c.j + c.k) & 1) == colour; }

template <int dims, class C, class S, class A, class U>
__device__ __forceinline__ void over_relax(const A& a, const View<S>& u, const U& around, S b, C omega,
                                           Cell c) {
  u(c.i, c.j, c.k) = S(stencil_over_relax<dims, C>(a.template at<dims>(c.i, c.j, c.k), around, C(b), omega));
}

// One thread per cell of the colour, so that all lanes of a warp are active.
template <class S, class C, class A, int dims, int most_threads>
__global__ void __launch_bounds__(most_threads)
    red_black_coloured(A a, View<S> u, View<const S> b, C omega, int colour) {
  Cell c = thread_cell<2>();
  c.i += (colour + c.j + c.k) & 1;
  if (!holds(u, c)) return;
  const Neighbourhood<S, C> around(read_only(u), c.i, c.j, c.k);
  over_relax<dims>(a, u, around, b(c.i, c.j, c.k), omega, c);
}

// The block's cells and the ghosts around them in shared memory (Normore's algorithm 5.2). Threads at an edge
// of the block or grid load the ghost next to their cell.
template <class S, class C, class A, int dims, int block_x, int block_y, int block_z>
__global__ void __launch_bounds__(block_x* block_y* block_z)
    red_black_shared(A a, View<S> u, View<const S> b, C omega, int colour) {
  __shared__ S tile[dims == 3 ? block_z + 2 : 1][block_y + 2][block_x + 2];
  const Cell c = thread_cell<>();
  const int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
  const int x = tx + 1, y = ty + 1, z = dims == 3 ? tz + 1 : 0;
  const bool inside = holds(u, c);
  if (inside) {
    const S* cell = u.row(c.j, c.k) + c.i;
    tile[z][y][x] = cell[0];
    if (tx == 0) tile[z][y][x - 1] = cell[-1];
    if (tx == block_x - 1 || c.i == u.nx - 1) tile[z][y][x + 1] = cell[1];
    if (ty == 0) tile[z][y - 1][x] = cell[-u.pitch];
    if (ty == block_y - 1 || c.j == u.ny - 1) tile[z][y + 1][x] = cell[u.pitch];
    if constexpr (dims == 3) {
      if (tz == 0) tile[z - 1][y][x] = cell[-u.plane];
      if (tz == block_z - 1 || c.k == u.nz - 1) tile[z + 1][y][x] = cell[u.plane];
    }
  }
  __syncthreads();
  if (!inside || !has_colour(c, colour)) return;
  auto around = [&](int di, int dj, int dk) { return C(tile[z + dk][y + dj][x + di]); };
  over_relax<dims>(a, u, around, b(c.i, c.j, c.k), omega, c);
}

// The block's cells alone in shared memory; neighbours outside the block are read from global memory.
template <class S, class C, class A, int dims, int block_x, int block_y, int block_z>
__global__ void __launch_bounds__(block_x* block_y* block_z)
    red_black_shared_branches(A a, View<S> u, View<const S> b, C omega, int colour) {
  __shared__ S tile[block_z][block_y][block_x];
  const Cell c = thread_cell<>();
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  // The grid's ghosts belong to a block like cells: its last cells read them there.
  if (c.i <= u.nx && c.j <= u.ny && c.k <= (dims == 3 ? u.nz : 0)) tile[z][y][x] = u(c.i, c.j, c.k);
  __syncthreads();
  if (!holds(u, c) || !has_colour(c, colour)) return;
  auto around = [&](int di, int dj, int dk) {
    const bool in_block =
        x + di >= 0 && x + di < block_x && y + dj >= 0 && y + dj < block_y && z + dk >= 0 && z + dk < block_z;
    return C(in_block ? tile[z + dk][y + dj][x + di] : u(c.i + di, c.j + dj, c.k + dk));
  };
  over_relax<dims>(a, u, around, b(c.i, c.j, c.k), omega, c);
}

// Reads neighbours through the read-only data cache. That is allowed for the other colour, which no thread of
// the launch writes. The cell's own value uses an ordinary load.
template <class S, class C>
struct ReadOnlyNeighbourhood {
  const S* cell;
  Index pitch, plane;
  __device__ __forceinline__ C operator()(int di, int dj, int dk) const {
    if (di == 0 && dj == 0 && dk == 0) return C(*cell);
    return C(__ldg(cell + di + dj * pitch + dk * plane));
  }
};

template <class S, class C, class A, int dims, int most_threads>
__global__ void __launch_bounds__(most_threads)
    red_black_readonly(A a, View<S> u, View<const S> b, C omega, int colour) {
  const Cell c = thread_cell<>();
  if (!holds(u, c) || !has_colour(c, colour)) return;
  const ReadOnlyNeighbourhood<S, C> around{u.row(c.j, c.k) + c.i, u.pitch, u.plane};
  over_relax<dims>(a, u, around, __ldg(b.row(c.j, c.k) + c.i), omega, c);
}

// Colours in separate arrays of half the width: cell h of a row of colour c is cell 2h + ((c + j + k) & 1) of
// the full row. Neighbours in y and z have the same h; those in x have h and one of h - 1 or h + 1.
__device__ __forceinline__ int whole_index(int h, int j, int k, int colour) {
  return 2 * h + ((colour + j + k) & 1);
}

// Copies a field to its red and black halves, ghosts included: the launch covers one more layer than the
// halves on each side.
template <class S, int dims, int most_threads>
__global__ void __launch_bounds__(most_threads)
    split_colours(View<const S> whole, View<S> red, View<S> black) {
  const Cell c = thread_cell<>();
  const int h = c.i - 1, j = c.j - 1, k = dims == 3 ? c.k - 1 : c.k;
  if (h > red.nx || j > red.ny || k > (dims == 3 ? red.nz : 0)) return;
  for (int colour = 0; colour < 2; ++colour) {
    const int i = whole_index(h, j, k, colour);
    if (i >= -1 && i <= whole.nx) (colour ? black : red)(h, j, k) = whole(i, j, k);
  }
}

// Copies the halves to the full field, without ghosts.
template <class S, int dims, int most_threads>
__global__ void __launch_bounds__(most_threads)
    join_colours(View<const S> red, View<const S> black, View<S> whole) {
  const Cell c = thread_cell<>();
  if (!holds(red, c)) return;
  for (int colour = 0; colour < 2; ++colour) {
    const int i = whole_index(c.i, c.j, c.k, colour);
    if (i < whole.nx) whole(i, c.j, c.k) = (colour ? black : red)(c.i, c.j, c.k);
  }
}

template <class S, class C>
struct SplitNeighbourhood {
  const S *own, *other;
  Index pitch, plane;
  int west;  // offset of the western neighbour from h: 0 or -1
  __device__ __forceinline__ C operator()(int di, int dj, int dk) const {
    if (di == 0 && dj == 0 && dk == 0) return C(*own);
    return C(other[di < 0 ? west : di > 0 ? west + 1 : dj * pitch + dk * plane]);
  }
};

// own, b and the arrays of a belong to the colour; nx: cells of the full rows.
template <class S, class C, class A, int dims, int most_threads>
__global__ void __launch_bounds__(most_threads)
    red_black_split(A a, View<S> own, View<const S> other, View<const S> b, C omega, int colour, int nx) {
  const Cell c = thread_cell<>();
  if (!holds(own, c) || whole_index(c.i, c.j, c.k, colour) >= nx) return;
  const int west = ((colour + c.j + c.k) & 1) - 1;
  const SplitNeighbourhood<S, C> around{own.row(c.j, c.k) + c.i, other.row(c.j, c.k) + c.i, own.pitch,
                                        own.plane, west};
  over_relax<dims>(a, own, around, b(c.i, c.j, c.k), omega, c);
}

}  // namespace cfdmark
