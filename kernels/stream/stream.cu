// Device code of stream.hpp. NVRTC reads this file: no standard header here.
#include "kernels/backends/device.cuh"
#include "kernels/stream/stream_formula.hpp"

namespace cfdmark {

// triad, or copy, in which c is not read.
template <class S, class C, bool triad>
__device__ __forceinline__ S stream_value(S b, C s, S c) {
  if constexpr (triad) return S(triad_value(C(b), s, C(c)));
  return b;
}

// One thread a cell.
template <class S, class C, int triad, int block_x, int block_y, int block_z>
__global__ void __launch_bounds__(threads_of<block_x, block_y, block_z>)
    stream_plain(View<const S> b, C s, View<const S> c, View<S> a) {
  const Cell at = thread_cell<block_x, block_y, block_z>();
  if (!holds(a, at)) return;
  const S other = triad ? c(at.i, at.j, at.k) : S(0);
  a(at.i, at.j, at.k) = stream_value<S, C, triad == 1>(b(at.i, at.j, at.k), s, other);
}

// One thread 16 bytes of each field.
template <class S, class C, int triad, int block_x, int block_y, int block_z>
__global__ void __launch_bounds__(threads_of<block_x, block_y, block_z>)
    stream_vector(View<const S> b, C s, View<const S> c, View<S> a) {
  constexpr int width = 16 / sizeof(S);
  const Cell at = thread_cell<block_x, block_y, block_z, width>();
  if (!holds(a, at)) return;
  auto from = load_pack<width>(b.row(at.j, at.k) + at.i);
  if constexpr (triad) {
    const auto other = load_pack<width>(c.row(at.j, at.k) + at.i);
    for (int n = 0; n < width; ++n)
      from.value[n] = stream_value<S, C, true>(from.value[n], s, other.value[n]);
  }
  store_pack(a.row(at.j, at.k) + at.i, from, at.i, a.nx);
}

}  // namespace cfdmark
