// Device code of jacobi.hpp. NVRTC reads this file: no standard header here.
#include "kernels/backends/device.cuh"
#include "kernels/core/stencil.hpp"

namespace cfdmark {

// One thread a cell.
template <class S, class C, class A, int dims, int block_x, int block_y, int block_z>
__global__ void __launch_bounds__(threads_of<block_x, block_y, block_z>)
    jacobi_plain(A a, View<const S> u, View<const S> b, View<S> out) {
  const Cell c = thread_cell<block_x, block_y, block_z>();
  if (!holds(out, c)) return;
  const auto coefficients = a.template at<dims>(c.i, c.j, c.k);
  const Neighbourhood<S, C> around(u, c.i, c.j, c.k);
  out(c.i, c.j, c.k) = S(stencil_relax<dims, C>(coefficients, around, C(b(c.i, c.j, c.k))));
}

// One thread a column of cells: a value of u on the column is loaded once, and many loads are in flight.
template <class S, class C, class A, int dims, int block_x, int block_y, int cells>
__global__ void __launch_bounds__(threads_of<block_x, block_y>)
    jacobi_column(A a, View<const S> u, View<const S> b, View<S> out) {
  constexpr int along_y = dims == 2 ? cells : 1, along_z = dims == 3 ? cells : 1;
  const Cell first = thread_cell<block_x, block_y, 1, 1, along_y, along_z>();
  if (!holds(out, first)) return;
  for_column<S, C, dims, cells>(u, out, first, [&](Cell c, const auto& around) {
    return stencil_relax<dims, C>(a.template at<dims>(c.i, c.j, c.k), around, C(b(c.i, c.j, c.k)));
  });
}

}  // namespace cfdmark
