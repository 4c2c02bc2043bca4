// Lines of points on a CPU core, in a layout and types. Two files instantiate it, because it compiles slowly:
// block_lines_relaxing.cpp and block_lines_residual.cpp.
#pragma once

#include <algorithm>

#include "kernels/block_relaxation/block_methods.hpp"
#include "kernels/device/cpu/row_stencil.hpp"

namespace cfdmark {

template <BlockLayout layout, class Form, class S, class C, class X>
struct TypedLines {
  Form form;
  BlockMatrices<int(layout), const S> a;
  BlockVectors<S, X> v;

  void point(int i, int j, int k) const {
    sweep_block<C, block_rows>(form, a, a.at(i, j, k), v, v.at(i, j, k), 0);
  }
  void vectors(const S* first, int begin, int end, Index here) const {
    CFDMARK_INDEPENDENT_ITERATIONS
    for (Index i = begin; i < end; ++i) sweep_block<C, block_rows>(form, a, first + i, v, here + i, 0);
  }
};

// Prefetches the cache lines 2 KiB ahead within the tiles. In fp32 the hardware prefetcher alone does not
// keep up.
template <class S>
void fetch_ahead(const S* first, int values) {
  constexpr int ahead = 2048 / sizeof(S), line = 64 / sizeof(S);
  if constexpr (sizeof(S) == 4)
    for (int n = 0; n < values; n += line) __builtin_prefetch(first + ahead + n);
}

// Updates a stretch of a line: several points at a time for arrays and within tiles. The functions take
// `lines` by value, so that no store can alias it.
template <BlockLayout layout, class Form, class S, class C, class X>
[[gnu::flatten, gnu::noinline]] void sweep_stretch(const TypedLines<layout, Form, S, C, X> lines, int begin,
                                                   int end, int j, int k) {
  const auto& a = lines.a;
  if constexpr (layout == BlockLayout::soa) {
    lines.vectors(a.at(0, j, k), begin, end, lines.v.at(0, j, k));
  } else if constexpr (block_tile(layout) > 1) {
    for (int i = begin, next; i < end; i = next) {
      const Index number = (Index(k) * a.ny + j) * a.nx + i;
      next = std::min(end, i + a.tile - int(number % a.tile));
      const S* const first = a.at_number(number) - i;
      if constexpr (layout == BlockLayout::soa_8) {
        // Whole tiles run in a loop of known length, the ends of a line point by point.
        if (next - i == a.tile) {
          fetch_ahead(first + i, a.tile * block_entries);
          lines.vectors(first, i, i + a.tile, lines.v.at(0, j, k));
        } else {
          for (int n = i; n < next; ++n) lines.point(n, j, k);
        }
      } else {
        lines.vectors(first, i, next, lines.v.at(0, j, k));
      }
    }
  } else {
    for (int i = begin; i < end; ++i) lines.point(i, j, k);
  }
}
template <BlockLayout layout, class Form, class S, class C, class X>
[[gnu::flatten, gnu::noinline]] void sweep_plane(const TypedLines<layout, Form, S, C, X> lines, int k,
                                                 bool backward) {
  const int nx = lines.a.nx, ny = lines.a.ny;
  for (int m = 0; m < ny; ++m)
    for (int n = 0; n < nx; ++n) lines.point(backward ? nx - 1 - n : n, backward ? ny - 1 - m : m, k);
}

// Returns the lines of a front in a layout and types.
template <BlockLayout layout, class S, class C, class X, class Form>
BlockLines typed_lines(const BlockArgs& args, const BlockFront& front, const Form& form) {
  const TypedLines<layout, Form, S, C, X> lines{
      form, block_matrices<layout, const S>(args.grid, args.matrices), block_vectors<S, X>(args, front)};
  BlockLines untyped{front, {}, {}};
  if constexpr (std::is_same_v<Form, Relaxing<C>>)
    if (front.sweep == BlockSweep::revised_ssor) {
      untyped.plane = [=, backward = args.backward](int k) { sweep_plane(lines, k, backward); };
      return untyped;
    }
  untyped.stretch = [=](int begin, int end, int j, int k) { sweep_stretch(lines, begin, end, j, k); };
  return untyped;
}

}  // namespace cfdmark
