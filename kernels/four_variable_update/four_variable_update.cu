// What is written by hand for four_variable_update.hpp. NVRTC reads this file: no standard header here.
#include "kernels/backends/device.cuh"
#include "kernels/four_variable_update/four_variable_update.hpp"

namespace cfdmark {

// One thread a cell, its variables side by side: neighbouring threads read every fourth value, four times.
template <class S, class C, int block_x, int block_y, int block_z>
__global__ void __launch_bounds__(threads_of<block_x, block_y, block_z>)
    update_array_of_structures(View<S> q, View<const S> rhs, C dt) {
  const Cell c = thread_cell<block_x, block_y, block_z>();
  if (4 * c.i >= q.nx || c.j >= q.ny || c.k >= q.nz) return;
  S* const cell = q.row(c.j, c.k) + 4 * c.i;
  const S* const right = rhs.row(c.j, c.k) + 4 * c.i;
  S value[4];
#pragma unroll
  for (int v = 0; v < 4; ++v) value[v] = S(FourVariableUpdate::advanced(C(cell[v]), dt, C(right[v])));
#pragma unroll
  for (int v = 0; v < 4; ++v) cell[v] = value[v];
}

// The same, 16 bytes at a time.
template <class S, class C, int block_x, int block_y, int block_z>
__global__ void __launch_bounds__(threads_of<block_x, block_y, block_z>)
    update_vector_loads(View<S> q, View<const S> rhs, C dt) {
  const Cell c = thread_cell<block_x, block_y, block_z>();
  if (4 * c.i >= q.nx || c.j >= q.ny || c.k >= q.nz) return;
  S* const cell = q.row(c.j, c.k) + 4 * c.i;
  Pack<S, 4> value = load_pack<4>(cell);
  const auto right = load_pack<4>(rhs.row(c.j, c.k) + 4 * c.i);
#pragma unroll
  for (int v = 0; v < 4; ++v)
    value.value[v] = S(FourVariableUpdate::advanced(C(value.value[v]), dt, C(right.value[v])));
  *reinterpret_cast<Pack<S, 4>*>(cell) = value;
}

// One thread a cell: from four arrays to structures if `in`, else back.
template <class S, int in, int block_x, int block_y, int block_z>
__global__ void __launch_bounds__(threads_of<block_x, block_y, block_z>)
    copy_structures(FourViews<S> arrays, View<S> structures) {
  const Cell c = thread_cell<block_x, block_y, block_z>();
  if (!holds(arrays.variable[0], c)) return;
  S* const cell = structures.row(c.j, c.k) + 4 * c.i;
#pragma unroll
  for (int v = 0; v < 4; ++v) {
    S& array = arrays.variable[v](c.i, c.j, c.k);
    if (in)
      cell[v] = array;
    else
      array = cell[v];
  }
}

}  // namespace cfdmark
