// Shared device code of several kernels. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/core/grid.hpp"

namespace cfdmark {

struct Cell {
  int i, j, k;
};

// Returns the first of this thread's cells_x by cells_y by cells_z cells, which may be outside the grid.
// Blocks tile the grid as threads tile a block. The block shape is a run-time value, so one compilation
// serves all shapes.
template <int cells_x = 1, int cells_y = 1, int cells_z = 1>
__device__ __forceinline__ Cell thread_cell() {
  return {(int(blockIdx.x) * int(blockDim.x) + int(threadIdx.x)) * cells_x,
          (int(blockIdx.y) * int(blockDim.y) + int(threadIdx.y)) * cells_y,
          (int(blockIdx.z) * int(blockDim.z) + int(threadIdx.z)) * cells_z};
}
// Returns the thread's index in a flat block; x runs fastest.
__device__ __forceinline__ int thread_of_flat_block() {
  return int(threadIdx.y) * int(blockDim.x) + int(threadIdx.x);
}

// Returns true if the box or view contains the cell.
template <class Box>
__device__ __forceinline__ bool holds(const Box& box, Cell c) {
  return c.i < box.nx && c.j < box.ny && c.k < box.nz;
}

// Returns a read-only view of the same cells.
template <class T>
__device__ __forceinline__ View<const T> read_only(const View<T>& view) {
  View<const T> out;
  out.origin = view.origin;
  out.nx = view.nx, out.ny = view.ny, out.nz = view.nz, out.halo = view.halo;
  out.pitch = view.pitch, out.plane = view.plane;
  return out;
}

// `n` neighbouring values, loaded and stored 16 bytes at a time. Cells 0, n, 2n .. of a row are aligned for
// it if n is a power of two up to Grid::row_alignment. A pack at the end of a row extends into the padding at
// most.
template <class T, int n>
struct alignas(sizeof(T) * n < 16 ? sizeof(T) * n : 16) Pack {
  T value[n];
};
template <int n, class T>
__device__ __forceinline__ Pack<T, n> load_pack(const T* first) {
  return *reinterpret_cast<const Pack<T, n>*>(first);
}
// Stores the values that are inside a row of nx cells; `first` is cell i.
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

}  // namespace cfdmark
