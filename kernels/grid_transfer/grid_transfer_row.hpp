// Processes a row of a pass on a host, vectorised, with the bits of the cell-by-cell bodies.
#pragma once

#include <algorithm>

#include "kernels/device/cpu/row_stencil.hpp"
#include "kernels/grid_transfer/grid_transfer_bodies.hpp"

namespace cfdmark {

// Adds the fine rows, one after another, into sums for a stretch of the coarse row.
template <class S, class C, int dims, class A>
[[gnu::flatten]] inline void transfer_row(const Restriction<S, C, dims, A> body, int j, int k, Index nx) {
  constexpr Index stretch = 512;
  C sums[stretch];
  S* const to = body.coarse.row(j, k);
  for (Index first = 0; first < nx; first += stretch) {
    const Index n = std::min(stretch, nx - first);
    std::fill_n(sums, n, C(0));
    for (int dk = -body.by.z; dk <= body.by.z; ++dk)
      for (int dj = -body.by.y; dj <= body.by.y; ++dj) {
        CFDMARK_INDEPENDENT_ITERATIONS
        for (Index i = 0; i < n; ++i) sums[i] = body.with_row(sums[i], first + i, j, k, dj, dk);
      }
    for (Index i = 0; i < n; ++i) to[first + i] = S(sums[i]);
  }
}

// Alternates between points between two coarse ones and points at one.
template <class S, class C, int dims, class A>
[[gnu::flatten]] inline void transfer_row(const Prolongation<S, C, dims, A> body, int j, int k, Index nx) {
  S* const u = body.fine.row(j, k);
  if (!body.by.x) {
    CFDMARK_INDEPENDENT_ITERATIONS
    for (Index i = 0; i < nx; ++i) u[i] = S(C(u[i]) + body.correction(i, j, k, i, 0));
    return;
  }
  CFDMARK_INDEPENDENT_ITERATIONS
  for (Index c = 0; c < nx / 2; ++c) {
    u[2 * c] = S(C(u[2 * c]) + body.correction(2 * c, j, k, c - 1, 1));
    u[2 * c + 1] = S(C(u[2 * c + 1]) + body.correction(2 * c + 1, j, k, c, 0));
  }
  if (nx % 2) u[nx - 1] = S(C(u[nx - 1]) + body.correction(nx - 1, j, k, nx / 2 - 1, 1));
}

template <class S, class C, int dims, class A>
inline void transfer_row(const OperatorCoarsening<S, C, dims, A>& body, int j, int k, Index nx) {
  for (Index i = 0; i < nx; ++i) body(i, j, k);
}

}  // namespace cfdmark
