// Device code before and after a library's real transform, which turns it into a cosine transform for lines
// with Neumann ends, or into the waves of a periodic line: one thread per cell. Both directions use the same
// forward transform. NVRTC reads this file, so it includes no standard header.
//
// Cosine transforms follow Makhoul (1980, IEEE Trans. ASSP 28, 27). From n values form v: the even ones
// first, then the odd ones in reverse. With its coefficients V and t_k = pi k / (2 n),
//   X_k = 2 sum_i r_i cos(pi (i + 1/2) k / n) = 2 Re(exp(-i t_k) V_k),   2 V_k = exp(i t_k) (X_k - i X_(n-k))
// The inverse of real values is a Hartley transform, its own inverse up to a factor n: v is the real part
// minus the imaginary part of the coefficients of H = Re V - Im V.
#include "kernels/device/cuda/primitives/device.cuh"
#include "kernels/line_transform/grid_lines.hpp"

namespace cfdmark {

template <class T>
struct Complex {
  T re, im;
};

// Returns coefficient k of a line. Those past the middle are conjugates of stored ones.
template <class T>
__device__ __forceinline__ Complex<T> coefficient(const T* coefficients, const GridLines& lines, Index line,
                                                  int k) {
  const bool beyond = k > lines.n / 2;
  const Index at = 2 * lines.place(line, beyond ? lines.n - k : k, lines.coefficients());
  const T im = coefficients[at + 1];
  return {coefficients[at], beyond ? -im : im};
}

// Returns the position of value i of a closed line when even values come first.
__device__ __forceinline__ int even_first(int i, int n) { return i % 2 == 0 ? i / 2 : n - 1 - i / 2; }

// Copies the values of r to lines. `closed`: the line has Neumann ends; else it is periodic.
template <class T, int closed>
__global__ void line_values(View<const T> r, GridLines lines, T* values) {
  const Cell c = thread_cell<>();
  if (!holds(r, c)) return;
  const int i = lines.position(c.i, c.j, c.k), at = closed ? even_first(i, lines.n) : i;
  values[lines.place(lines.line(r.nx, r.ny, c.i, c.j, c.k), at, lines.n)] = r(c.i, c.j, c.k);
}

// Returns X_k of a closed line, H_k of a periodic one. `turns`: n values cos t_k, then n values sin t_k.
template <class T, int closed>
__device__ __forceinline__ T wave_of(const T* coefficients, const GridLines& lines, const T* turns,
                                     const View<T>& r, Cell c) {
  const int k = lines.position(c.i, c.j, c.k);
  const Complex<T> v = coefficient(coefficients, lines, lines.line(r.nx, r.ny, c.i, c.j, c.k), k);
  return closed ? T(2) * (turns[k] * v.re + turns[lines.n + k] * v.im) : v.re - v.im;
}

template <class T, int closed>
__global__ void waves(const T* coefficients, GridLines lines, const T* turns, View<T> r) {
  const Cell c = thread_cell<>();
  if (holds(r, c)) r(c.i, c.j, c.k) = wave_of<T, closed>(coefficients, lines, turns, r, c);
}

// The same, multiplied by scale over the eigenvalue x[i] + y[j] + z[k]. Where that is 0 the result is 0,
// which fixes the free constant of a singular system.
template <class T, int closed>
__global__ void divided_waves(const T* coefficients, GridLines lines, const T* turns, View<T> r, const T* x,
                              const T* y, const T* z, T scale) {
  const Cell c = thread_cell<>();
  if (!holds(r, c)) return;
  const T eigenvalue = x[c.i] + (y[c.j] + z[c.k]), factor = eigenvalue == T(0) ? T(0) : scale / eigenvalue;
  r(c.i, c.j, c.k) = wave_of<T, closed>(coefficients, lines, turns, r, c) * factor;
}

// Writes H_k of the inverse transform, for a closed line twice that value; X_n is 0.
template <class T, int closed>
__global__ void hartley_values(View<const T> r, GridLines lines, const T* turns, T* values) {
  const Cell c = thread_cell<>();
  if (!holds(r, c)) return;
  const int k = lines.position(c.i, c.j, c.k), axis = lines.axis;
  T value = r(c.i, c.j, c.k);
  if (closed) {
    const int other = k == 0 ? 0 : lines.n - k;
    const T opposite = r(axis == 0 ? other : c.i, axis == 1 ? other : c.j, axis == 2 ? other : c.k);
    const T cosine = turns[k], sine = turns[lines.n + k];
    value = (cosine - sine) * value + (k == 0 ? T(0) : (cosine + sine) * opposite);
  }
  values[lines.place(lines.line(r.nx, r.ny, c.i, c.j, c.k), k, lines.n)] = value;
}

template <class T, int closed>
__global__ void cells_of_hartley(const T* coefficients, GridLines lines, View<T> r) {
  const Cell c = thread_cell<>();
  if (!holds(r, c)) return;
  const int i = lines.position(c.i, c.j, c.k), m = closed ? even_first(i, lines.n) : i;
  const Complex<T> v = coefficient(coefficients, lines, lines.line(r.nx, r.ny, c.i, c.j, c.k), m);
  r(c.i, c.j, c.k) = v.re - v.im;
}

}  // namespace cfdmark
