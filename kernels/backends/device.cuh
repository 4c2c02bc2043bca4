// What the device code of several kernels shares. NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/grid.hpp"

namespace cfdmark {

struct Cell {
  int i, j, k;
};

// The cell of this thread, when blocks lie on the grid as threads lie in a block and each thread has cells_x
// by cells_y by cells_z cells: the first of them. It may be beyond the grid. The shape of a block is known at
// its launch only: one compilation serves all shapes.
template <int cells_x = 1, int cells_y = 1, int cells_z = 1>
__device__ __forceinline__ Cell thread_cell() {
  return {(int(blockIdx.x) * int(blockDim.x) + int(threadIdx.x)) * cells_x,
          (int(blockIdx.y) * int(blockDim.y) + int(threadIdx.y)) * cells_y,
          (int(blockIdx.z) * int(blockDim.z) + int(threadIdx.z)) * cells_z};
}
// Of a flat block: the threads of lower rows, and of the same row on the left, come before.
__device__ __forceinline__ int thread_of_flat_block() {
  return int(threadIdx.y) * int(blockDim.x) + int(threadIdx.x);
}

// Whether a box of cells, or a view, holds it.
template <class Box>
__device__ __forceinline__ bool holds(const Box& box, Cell c) {
  return c.i < box.nx && c.j < box.ny && c.k < box.nz;
}

// The same cells, not to be written.
template <class T>
__device__ __forceinline__ View<const T> read_only(const View<T>& view) {
  View<const T> out;
  out.origin = view.origin;
  out.nx = view.nx, out.ny = view.ny, out.nz = view.nz, out.halo = view.halo;
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

}  // namespace cfdmark
