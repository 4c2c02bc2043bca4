// Device code of axpby.hpp. NVRTC reads this file: no standard header here.
#include "kernels/axpby/axpby_formula.hpp"
#include "kernels/backends/device.cuh"

namespace cfdmark {

// y = alpha x + beta y, or alpha x, in which case y may hold anything.
template <class Y, class C, bool reads_y>
__device__ __forceinline__ Y axpby_cell(C alpha, C x, C beta, Y y) {
  if constexpr (reads_y) return Y(axpby_value(alpha, x, beta, C(y)));
  return Y(alpha * x);
}

// One thread a cell.
template <class X, class Y, class C, int reads_y, int block_x, int block_y, int block_z>
__global__ void __launch_bounds__(threads_of<block_x, block_y, block_z>)
    axpby_plain(Scalar alpha, View<const X> x, Scalar beta, View<Y> y) {
  const Cell c = thread_cell<block_x, block_y, block_z>();
  if (!holds(y, c)) return;
  Y& to = y(c.i, c.j, c.k);
  const Y old = reads_y ? to : Y(0);
  to =
      axpby_cell<Y, C, reads_y == 1>(scalar_value<C>(alpha), C(x(c.i, c.j, c.k)), scalar_value<C>(beta), old);
}

// One thread as many cells as fill 16 bytes of the field that is stored in fewer bits.
template <class X, class Y, class C, int reads_y, int block_x, int block_y, int block_z>
__global__ void __launch_bounds__(threads_of<block_x, block_y, block_z>)
    axpby_vector(Scalar alpha, View<const X> x, Scalar beta, View<Y> y) {
  constexpr int width = 16 / (sizeof(X) < sizeof(Y) ? sizeof(X) : sizeof(Y));
  const Cell c = thread_cell<block_x, block_y, block_z, width>();
  if (!holds(y, c)) return;
  const auto from = load_pack<width>(x.row(c.j, c.k) + c.i);
  Y* to = y.row(c.j, c.k) + c.i;
  Pack<Y, width> values = {};
  if constexpr (reads_y) values = load_pack<width>(to);
  const C a = scalar_value<C>(alpha), b = scalar_value<C>(beta);
  for (int n = 0; n < width; ++n)
    values.value[n] = axpby_cell<Y, C, reads_y == 1>(a, C(from.value[n]), b, values.value[n]);
  store_pack(to, values, c.i, y.nx);
}

// quotient[0] = a / b, quotient[1] = -a / b: coefficients for a library's axpy. As in scalar_value, 0 where
// CG has converged exactly. One thread.
template <class T>
__global__ void scalar_quotient(const T* a, const T* b, T* quotient) {
  const T value = *a == 0 || *b == 0 ? T(0) : *a / *b;
  quotient[0] = value;
  quotient[1] = -value;
}

}  // namespace cfdmark
