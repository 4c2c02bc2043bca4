// NVRTC reads this file, so it includes no standard header.
#include "kernels/block_relaxation/block_relaxation.hpp"
#include "kernels/cells/cell.hpp"
#include "kernels/device/cuda/primitives/device.cuh"

namespace cfdmark {

// One thread per point of a front.
template <class Form, class S, class C, class X, int layout, int threads>
__global__ void __launch_bounds__(threads)
    sweep_block_points(BlockFront front, Form form, BlockMatrices<layout, const S> a, BlockVectors<S, X> v) {
  const Index n = Index(blockIdx.x) * threads + threadIdx.x;
  if (n >= front.points()) return;
  const BlockPoint p = front.point(n);
  if (front.holds(p)) sweep_block<C, block_rows>(form, a, a.at(p.i, p.j, p.k), v, v.at(p.i, p.j, p.k), 0);
}

// Five threads per point, one per row. Threads of neighbouring points are adjacent.
template <class Form, class S, class C, class X, int layout, int points>
__global__ void __launch_bounds__(points* block_rows)
    sweep_block_rows(BlockFront front, Form form, BlockMatrices<layout, const S> a, BlockVectors<S, X> v) {
  const Index n = Index(blockIdx.x) * points + threadIdx.x;
  if (n >= front.points()) return;
  const BlockPoint p = front.point(n);
  if (!front.holds(p)) return;
  sweep_block<C, 1>(form, a, a.at(p.i, p.j, p.k), v, v.at(p.i, p.j, p.k), int(threadIdx.y));
}

// Sixteen threads per point: all load its matrices and padding to shared memory, and five compute the sums.
template <class Form, class S, class C, class X, int layout, int points>
__global__ void __launch_bounds__(16 * points)
    sweep_block_sixteen(BlockFront front, Form form, BlockMatrices<layout, const S> a, BlockVectors<S, X> v) {
  constexpr int values = BlockMatrices<layout, const S>::values * block_directions;
  __shared__ S matrices[points][values];
  const int lane = int(threadIdx.x);
  S* const mine = matrices[threadIdx.y];
  const Index n = Index(blockIdx.x) * points + threadIdx.y;
  const BlockPoint p = front.point(n < front.points() ? n : 0);
  const bool is_point = n < front.points() && front.holds(p);
  if (is_point) {
    const S* const first = a.at(p.i, p.j, p.k);
#pragma unroll
    for (int e = lane; e < values; e += 16) mine[e] = first[e];
  }
  __syncthreads();
  if (is_point && lane < block_rows)
    sweep_block<C, 1>(form, a, static_cast<const S*>(mine), v, v.at(p.i, p.j, p.k), lane);
}

// One warp per group of points: its lanes load the contiguous matrices of `points` points to shared memory,
// then five lanes per point compute the sums. The matrices start 25 words apart modulo 32, which avoids bank
// conflicts.
template <class Form, class S, class C, class X, int layout, int points, int warps>
__global__ void __launch_bounds__(32 * warps)
    sweep_block_warps(BlockFront front, Form form, BlockMatrices<layout, const S> a, BlockVectors<S, X> v) {
  constexpr int values = BlockMatrices<layout, const S>::values * block_directions;
  __shared__ S matrices[warps][points][values + (57 - values % 32) % 32];
  auto& mine = matrices[threadIdx.y];
  const int lane = int(threadIdx.x), own = lane / block_rows;
  const Index n = (Index(blockIdx.x) * warps + threadIdx.y) * points + own;
  const bool in_front = own < points && n < front.points();
  const BlockPoint p = front.point(in_front ? n : 0);
  const bool sums = in_front && front.holds(p);
  const Index first = sums ? a.at(p.i, p.j, p.k) - a.origin : -1;
#pragma unroll
  for (int other = 0; other < points; ++other) {
    const Index from = __shfl_sync(0xffffffffu, first, other * block_rows);
    if (from < 0) continue;
#pragma unroll
    for (int e = lane; e < values; e += 32) mine[other][e] = a.origin[from + e];
  }
  __syncwarp();
  if (sums)
    sweep_block<C, 1>(form, a, static_cast<const S*>(mine[own]), v, v.at(p.i, p.j, p.k), lane % block_rows);
}

// Copies the matrices of 32 points per block from layout aos25 to another, through shared memory, so that
// reads and writes are coalesced.
template <class S, int layout, int threads>
__global__ void __launch_bounds__(threads) copy_blocks(BlockMatrices<int(BlockLayout::aos25), const S> from,
                                                       BlockMatrices<layout, S> to, Cells cells, S padding) {
  constexpr int shared_points = 32, stored = BlockMatrices<layout, S>::values,
                values = stored * block_directions;
  constexpr bool by_point = layout == int(BlockLayout::aos25) || layout == int(BlockLayout::aos32);
  __shared__ S tile[shared_points][block_entries + 1];
  const Index begin = Index(blockIdx.x) * shared_points, plane = Index(cells.nx) * cells.ny,
              end = plane * cells.nz;
  for (int t = int(threadIdx.x); t < shared_points * block_entries; t += threads) {
    const int p = t / block_entries, e = t % block_entries;
    const Index n = begin + p;
    if (n < end) tile[p][e] = from.at(n % cells.nx, n / cells.nx % cells.ny, n / plane)[e];
  }
  __syncthreads();
  for (int t = int(threadIdx.x); t < shared_points * values; t += threads) {
    const int p = by_point ? t / values : t % shared_points, e = by_point ? t % values : t / shared_points;
    const Index n = begin + p;
    if (n >= end) continue;
    const int m = e / stored, value = e % stored;
    to.at(n % cells.nx, n / cells.nx % cells.ny, n / plane)[to.offset(m, value)] =
        value < block_values ? tile[p][m * block_values + value] : padding;
  }
}

}  // namespace cfdmark
