// One row of either pass on a CPU core.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/backends/row_reduction.hpp"
#include "kernels/backends/row_stencil.hpp"
#include "kernels/cg_iteration/cg_iteration_formula.hpp"

namespace cfdmark {

// The new direction on a stretch of a row and of its neighbouring rows, and on one cell more at either end,
// as it is stored. In buffers that stay in the nearest cache: an accessor that computed it where the stencil
// asks for it would hold too many pointers for the compiler to vectorise.
template <int dims, class S, class C>
class StretchDirection {
 public:
  static constexpr int cells = 256;

  StretchDirection(const RowNeighbourhood<S, C>& r, const RowNeighbourhood<S, C>& p_before, C beta)
      : r_(r), p_before_(p_before), beta_(beta) {}

  // Works out cells begin - 1 .. begin + length of the row. Cell `begin` is then number 0.
  RowNeighbourhood<S, C> at(int begin, int length) {
    auto row = [&](int which, const S* r, const S* p_before) {
      return fill(r + begin, p_before + begin, length, values_[which] + 1);
    };
    const S *centre = row(0, r_.centre, p_before_.centre), *south = row(1, r_.south, p_before_.south),
            *north = row(2, r_.north, p_before_.north);
    if constexpr (dims == 2) return {centre, south, north, nullptr, nullptr};
    const S *bottom = row(dims, r_.bottom, p_before_.bottom), *top = row(dims + 1, r_.top, p_before_.top);
    return {centre, south, north, bottom, top};
  }

 private:
  const S* fill(const S* r, const S* p_before, int length, S* to) const {
    auto value = [=, beta = beta_](int i) { return S(cg_direction_value(C(r[i]), beta, C(p_before[i]))); };
    to[-1] = value(-1);
    to[length] = value(length);
    CFDMARK_INDEPENDENT_ITERATIONS
    for (int i = 0; i < length; ++i) to[i] = value(i);
    return to;
  }

  const RowNeighbourhood<S, C> r_, p_before_;
  const C beta_;
  S values_[2 * dims - 1][cells + 2];
};

// Memory of this thread for a row of at least n values.
template <class S>
S* row_buffer(int n) {
  thread_local std::vector<S> values;
  if (int(values.size()) < n) values.resize(n);
  return values.data();
}

// Writes p, and A p into q unless that is null. Returns the row's part of p . A p.
template <int dims, class S, class C, class ARow>
double cg_direction_row(const ARow a, const RowNeighbourhood<S, C>& r, const RowNeighbourhood<S, C>& p_before,
                        C beta, S* p, S* q, int nx) {
  StretchDirection<dims, S, C> direction(r, p_before, beta);
  S* const product = q ? q : row_buffer<S>(nx);
  for (int begin = 0; begin < nx; begin += direction.cells) {
    const int length = std::min(direction.cells, nx - begin);
    const RowNeighbourhood<S, C> stretch = direction.at(begin, length);
    CFDMARK_INDEPENDENT_ITERATIONS
    for (int i = 0; i < length; ++i) {
      p[begin + i] = stretch.centre[i];
      product[begin + i] = S(stencil_apply<dims, C>(a.at(begin + i), stretch.at(i)));
    }
  }
  return reduce_row<SumOperation, C>(nx, [=](int i) { return Product<C>{C(p[i]), C(product[i])}; });
}

// Updates u and r with A p from q, or computed unless q is there. Returns the row's part of r . r.
template <int dims, class S, class C, class ARow>
double cg_update_row(const ARow a, const RowNeighbourhood<S, C> p, const S* q, C alpha, S* u, S* r, int nx) {
  auto update = [=](int i, S product) {
    u[i] = S(cg_solution_value(C(u[i]), alpha, C(p.centre[i])));
    r[i] = S(cg_residual_value(C(r[i]), alpha, C(product)));
  };
  if (q) {
    CFDMARK_INDEPENDENT_ITERATIONS
    for (int i = 0; i < nx; ++i) update(i, q[i]);
  } else {
    CFDMARK_INDEPENDENT_ITERATIONS
    for (int i = 0; i < nx; ++i) update(i, S(stencil_apply<dims, C>(a.at(i), p.at(i))));
  }
  return reduce_row<SumOperation, C>(nx, [=](int i) { return Product<C>{C(r[i]), C(r[i])}; });
}

}  // namespace cfdmark
