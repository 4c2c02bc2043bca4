// Stencils along one row in host memory. Everything constant along the row is a plain pointer, so that the
// compiler sees unit-stride streams and vectorises the loop over i.
#pragma once

#include "kernels/core/stencil.hpp"

// Marks a loop whose iterations are independent in memory. Not "omp simd": that keeps the small objects of a
// formula in memory, one copy per lane, and GCC then does not vectorise.
#if defined(__clang__)
#define CFDMARK_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#else
#define CFDMARK_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#endif

namespace cfdmark {

// The rows of u around row (j, k); at(i) reads around cell i.
template <class S, class C>
struct RowNeighbourhood {
  const S *centre, *south, *north, *bottom, *top;

  RowNeighbourhood(const View<const S>& u, int j, int k)
      : centre(u.row(j, k)),
        south(centre - u.pitch),
        north(centre + u.pitch),
        bottom(centre - u.plane),
        top(centre + u.plane) {}
  RowNeighbourhood(const S* c, const S* s, const S* n, const S* b, const S* t)
      : centre(c), south(s), north(n), bottom(b), top(t) {}

  auto at(int i) const {
    return [=, *this](int di, int dj, int dk) {
      if (dj < 0) return C(south[i]);
      if (dj > 0) return C(north[i]);
      if (dk < 0) return C(bottom[i]);
      if (dk > 0) return C(top[i]);
      return C(centre[i + di]);
    };
  }
};

// Coefficients of an operator along row (j, k): constant, or rows of its arrays.
template <int dims, class C>
struct ConstantRow {
  ConstantStencil<C> a;
  ConstantRow(const ConstantStencil<C>& operator_a, int, int) : a(operator_a) {}
  ConstantStencil<C> at(int) const { return a; }
};

template <int dims, class S, class C>
struct ArrayRow {
  const S *west, *east, *south, *north, *bottom, *top, *centre;
  ArrayRow(const StencilArrays<S, C>& a, int j, int k)
      : west(a.west.row(j, k)),
        east(a.east.row(j, k)),
        south(a.south.row(j, k)),
        north(a.north.row(j, k)),
        bottom(dims == 3 ? a.bottom.row(j, k) : nullptr),
        top(dims == 3 ? a.top.row(j, k) : nullptr),
        centre(a.centre.row(j, k)) {}
  CellStencil<C> at(int i) const {
    CellStencil<C> s{C(west[i]), C(east[i]), C(south[i]), C(north[i]), C(0), C(0), C(centre[i])};
    if constexpr (dims == 3) s.bottom = C(bottom[i]), s.top = C(top[i]);
    return s;
  }
};

template <int dims, class C>
ConstantRow<dims, C> operator_row(const ConstantStencil<C>& a, int j, int k) {
  return {a, j, k};
}
template <int dims, class S, class C>
ArrayRow<dims, S, C> operator_row(const StencilArrays<S, C>& a, int j, int k) {
  return {a, j, k};
}

}  // namespace cfdmark
