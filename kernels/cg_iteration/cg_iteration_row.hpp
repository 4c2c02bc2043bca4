// One row of either pass on a CPU core.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/cells/row_reduction.hpp"
#include "kernels/cg_iteration/cg_iteration_formula.hpp"
#include "kernels/device/cpu/row_stencil.hpp"

namespace cfdmark {

// The new direction, rounded to storage, on a stretch of a row and its neighbouring rows, with one more cell
// at either end. Buffers stay in the L1 cache. An accessor that computed values on demand would hold too many
// pointers for the compiler to vectorise.
template <int dims, class S, class C>
class StretchDirection {
 public:
  static constexpr int cells = 256;

  StretchDirection(const RowNeighbourhood<S, C>& r, const RowNeighbourhood<S, C>& p_before, C beta)
      : r_(r), p_before_(p_before), beta_(beta) {}

  // Computes cells begin - 1 .. begin + length and returns them with cell `begin` as index 0.
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

// Returns this thread's buffer for at least n values.
template <class S>
S* row_buffer(int n) {
  thread_local std::vector<S> values;
  if (int(values.size()) < n) values.resize(n);
  return values.data();
}

// Writes p, and A p into q unless q is null. Returns the row's contribution to p . A p.
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
  return reduce_values<SumOperation, C>(nx, [=](int i) { return Product<C>{C(p[i]), C(product[i])}; });
}

// The new direction, rounded to storage.
template <class S, class C>
struct CgDirection {
  View<const S> r, p_before;
  C beta;

  S operator()(int i, int j, int k) const {
    return S(cg_direction_value(C(r(i, j, k)), beta, C(p_before(i, j, k))));
  }
  // Computes the cells of a row.
  void fill(S* to, int j, int k, int nx) const {
    const S *residual = r.row(j, k), *before = p_before.row(j, k);
    CFDMARK_INDEPENDENT_ITERATIONS
    for (int i = 0; i < nx; ++i) to[i] = S(cg_direction_value(C(residual[i]), beta, C(before[i])));
  }
};

// Computes A p of a row, into q unless q is null. The direction on this and the adjacent rows is in p; values
// in p's ghosts are computed on demand. Returns the row's contribution to p . A p.
template <int dims, class S, class C, class ARow>
double cg_product_row(const ARow a, const CgDirection<S, C>& direction, const View<S>& p, S* q, int j, int k,
                      const Grid& g) {
  const int nx = g.nx;
  S* const buffers = row_buffer<S>(5 * nx);  // A p, and up to four rows of ghosts
  const auto row = [&](int dj, int dk) -> const S* {
    const bool inside = j + dj >= 0 && j + dj < g.ny && k + dk >= 0 && k + dk < g.nz;
    if (inside) return p.row(j + dj, k + dk);
    S* const ghosts = buffers + (dj ? dj < 0 ? 1 : 2 : dk < 0 ? 3 : 4) * nx;
    direction.fill(ghosts, j + dj, k + dk, nx);
    return ghosts;
  };
  S* const product = q ? q : buffers;
  const auto at_end = [&](int i) {
    const auto around = [&](int di, int dj, int dk) { return C(direction(i + di, j + dj, k + dk)); };
    product[i] = S(stencil_apply<dims, C>(a.at(i), around));
  };
  const RowNeighbourhood<S, C> around(p.row(j, k), row(-1, 0), row(1, 0), dims == 3 ? row(0, -1) : nullptr,
                                      dims == 3 ? row(0, 1) : nullptr);
  at_end(0);
  CFDMARK_INDEPENDENT_ITERATIONS
  for (int i = 1; i < nx - 1; ++i) product[i] = S(stencil_apply<dims, C>(a.at(i), around.at(i)));
  if (nx > 1) at_end(nx - 1);
  const S* const here = around.centre;
  return reduce_values<SumOperation, C>(nx, [=](int i) { return Product<C>{C(here[i]), C(product[i])}; });
}

// Updates u and r with A p, which is read from q or computed if q is null. Returns the row's contribution to
// r . r.
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
  return reduce_values<SumOperation, C>(nx, [=](int i) { return Product<C>{C(r[i]), C(r[i])}; });
}

}  // namespace cfdmark
