// What the device code of several kernels shares. NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/grid.hpp"

namespace cfdmark {

template <int block_x, int block_y, int block_z = 1>
constexpr int threads_of = block_x* block_y* block_z;

struct Cell {
  int i, j, k;
};

// The cell of this thread, when blocks lie on the grid as threads lie in a block and each thread has cells_x
// by cells_y by cells_z cells: the first of them. It may be beyond the grid.
template <int block_x, int block_y, int block_z, int cells_x = 1, int cells_y = 1, int cells_z = 1>
__device__ __forceinline__ Cell thread_cell() {
  return {(int(blockIdx.x) * block_x + int(threadIdx.x)) * cells_x,
          (int(blockIdx.y) * block_y + int(threadIdx.y)) * cells_y,
          (int(blockIdx.z) * block_z + int(threadIdx.z)) * cells_z};
}

template <class T>
__device__ __forceinline__ bool holds(const View<T>& view, Cell c) {
  return c.i < view.nx && c.j < view.ny && c.k < view.nz;
}

// The same cells, not to be written.
template <class T>
__device__ __forceinline__ View<const T> read_only(const View<T>& view) {
  View<const T> out;
  out.origin = view.origin;
  out.nx = view.nx, out.ny = view.ny, out.nz = view.nz;
  out.pitch = view.pitch, out.plane = view.plane;
  return out;
}

// `n` neighbouring values, loaded and stored 16 bytes at a time. A row's cells 0, n, 2n .. are aligned for it
// when n is a power of two up to Grid::row_alignment; a pack at the end of a row reaches into the padding at
// most.
template <class T, int n>
struct alignas(sizeof(T) * n < 16 ? sizeof(T) * n : 16) Pack {
  T value[n];
};
template <int n, class T>
__device__ __forceinline__ Pack<T, n> load_pack(const T* first) {
  return *reinterpret_cast<const Pack<T, n>*>(first);
}
// Stores the values that lie in a row of nx cells, of which `first` is cell i.
template <int n, class T>
__device__ __forceinline__ void store_pack(T* first, const Pack<T, n>& pack, int i, int nx) {
  if (i + n <= nx) {
    *reinterpret_cast<Pack<T, n>*>(first) = pack;
    return;
  }
#pragma unroll
  for (int m = 0; m < n - 1; ++m)
    if (i + m < nx) first[m] = pack.value[m];
}

// Reads u around a cell of a column that a thread walks along, in y in 2-D and in z in 3-D: the three values
// on the column are in registers, the others in memory.
template <class S, class C, int dims>
struct ColumnNeighbourhood {
  C behind, centre, ahead;
  const S* cell;
  Index pitch;

  __device__ __forceinline__ C operator()(int di, int dj, int dk) const {
    const int along = dims == 3 ? dk : dj;
    if (along < 0) return behind;
    if (along > 0) return ahead;
    if (di == 0 && (dims == 2 || dj == 0)) return centre;
    return C(cell[di + (dims == 3 ? dj * pitch : 0)]);
  }
};

// out = formula(cell, neighbourhood in u) on `cells` cells of a column from `first` on. All results are
// computed before the first is stored: no store then stands between the loads, and they are all in flight
// together.
template <class S, class C, int dims, int cells, class F>
__device__ __forceinline__ void for_column(const View<const S>& u, const View<S>& out, Cell first,
                                           const F& formula) {
  const int begin = dims == 3 ? first.k : first.j, end = dims == 3 ? u.nz : u.ny;
  const Index stride = dims == 3 ? u.plane : u.pitch;
  const S* column = u.row(first.j, first.k) + first.i;
  S result[cells];
  C behind = C(column[-stride]), centre = C(column[0]);
#pragma unroll
  for (int n = 0; n < cells; ++n) {
    const int step = min(n, end - 1 - begin);  // beyond the end: the last cell again, which is not stored
    const S* cell = column + step * stride;
    const C ahead = C(cell[stride]);
    const Cell at = {first.i, dims == 3 ? first.j : begin + step, dims == 3 ? begin + step : first.k};
    result[n] = S(formula(at, ColumnNeighbourhood<S, C, dims>{behind, centre, ahead, cell, u.pitch}));
    behind = centre;
    centre = ahead;
  }
  S* to = out.row(first.j, first.k) + first.i;
  const Index stride_out = dims == 3 ? out.plane : out.pitch;
#pragma unroll
  for (int n = 0; n < cells; ++n)
    if (begin + n < end) to[n * stride_out] = result[n];
}

}  // namespace cfdmark
