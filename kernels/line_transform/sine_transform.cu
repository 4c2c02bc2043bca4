// Device code before and after a library's real transform, which turns it into a sine transform: one thread
// per cell. NVRTC reads this file, so it includes no standard header.
#include "kernels/device/cuda/primitives/device.cuh"
#include "kernels/line_transform/grid_lines.hpp"

namespace cfdmark {

// Writes the odd sequences 0, r_0 .. r_n-1, 0, -r_n-1 .. -r_0 of all lines. The thread of a line's first cell
// writes its zeros.
template <class T>
__global__ void odd_extension(View<const T> r, GridLines lines, T* extended) {
  const Cell c = thread_cell<>();
  if (!holds(r, c)) return;
  const Index stride = lines.stride();
  T* const line = extended + lines.line(r.nx, r.ny, c.i, c.j, c.k) * lines.distance(lines.period);
  const int at = lines.position(c.i, c.j, c.k) + 1;
  const T value = r(c.i, c.j, c.k);
  line[at * stride] = value;
  line[(lines.period - at) * stride] = -value;
  if (at == 1) line[0] = line[(lines.n + 1) * stride] = T(0);
}

// Returns minus the imaginary part of a coefficient: 2 sum_i r_i sin(pi (i + 1) (l + 1) / (n + 1)).
template <class T>
__device__ __forceinline__ T sine_of(const T* coefficients, const GridLines& lines, const View<T>& r,
                                     Cell c) {
  const Index line = lines.line(r.nx, r.ny, c.i, c.j, c.k);
  const int at = lines.position(c.i, c.j, c.k) + 1;
  return -coefficients[2 * (line * lines.distance(lines.coefficients()) + at * lines.stride()) + 1];
}

template <class T>
__global__ void sines(const T* coefficients, GridLines lines, View<T> r) {
  const Cell c = thread_cell<>();
  if (holds(r, c)) r(c.i, c.j, c.k) = sine_of(coefficients, lines, r, c);
}

// The same, multiplied by scale over the eigenvalue x[i] + y[j] + z[k].
template <class T>
__global__ void divided_sines(const T* coefficients, GridLines lines, View<T> r, const T* x, const T* y,
                              const T* z, T scale) {
  const Cell c = thread_cell<>();
  if (!holds(r, c)) return;
  const T eigenvalue = x[c.i] + (y[c.j] + z[c.k]);
  r(c.i, c.j, c.k) = sine_of(coefficients, lines, r, c) * (scale / eigenvalue);
}

}  // namespace cfdmark
