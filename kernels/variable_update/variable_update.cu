// Hand-tuned device code of variable_update.hpp. NVRTC reads this file, so it includes no standard header.
#include "kernels/device/cuda/primitives/device.cuh"
#include "kernels/variable_update/variable_update.hpp"

namespace cfdmark {

// One thread per cell with n contiguous variables: adjacent threads read with stride n, n times.
template <class S, class C, int n, int most_threads>
__global__ void __launch_bounds__(most_threads)
    update_array_of_structures(View<S> q, View<const S> rhs, C dt) {
  const Cell c = thread_cell<>();
  if (n * c.i >= q.nx || c.j >= q.ny || c.k >= q.nz) return;
  S* const cell = q.row(c.j, c.k) + n * c.i;
  const S* const right = rhs.row(c.j, c.k) + n * c.i;
  S value[n];
#pragma unroll
  for (int v = 0; v < n; ++v) value[v] = S(advanced(C(cell[v]), dt, C(right[v])));
#pragma unroll
  for (int v = 0; v < n; ++v) cell[v] = value[v];
}

// The same with 16-byte loads and stores; padding is read and written too.
template <class S, class C, int n, int most_threads>
__global__ void __launch_bounds__(most_threads) update_vector_loads(View<S> q, View<const S> rhs, C dt) {
  constexpr int stride = padded<S, n>;
  const Cell c = thread_cell<>();
  if (stride * c.i >= q.nx || c.j >= q.ny || c.k >= q.nz) return;
  S* const cell = q.row(c.j, c.k) + stride * c.i;
  Pack<S, stride> value = load_pack<stride>(cell);
  const auto right = load_pack<stride>(rhs.row(c.j, c.k) + stride * c.i);
#pragma unroll
  for (int v = 0; v < n; ++v) value.value[v] = S(advanced(C(value.value[v]), dt, C(right.value[v])));
  *reinterpret_cast<Pack<S, stride>*>(cell) = value;
}

// Copies n arrays to structures of `stride` values if `in`, else back. One thread per cell.
template <class S, int n, int stride, int in, int most_threads>
__global__ void __launch_bounds__(most_threads)
    copy_structures(VariableViews<S, n> arrays, View<S> structures) {
  const Cell c = thread_cell<>();
  if (!holds(arrays.variable[0], c)) return;
  S* const cell = structures.row(c.j, c.k) + stride * c.i;
#pragma unroll
  for (int v = 0; v < n; ++v) {
    S& array = arrays.variable[v](c.i, c.j, c.k);
    if (in)
      cell[v] = array;
    else
      array = cell[v];
  }
}

}  // namespace cfdmark
