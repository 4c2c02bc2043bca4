// Rows whose cells' numbers are joined, on a CPU core.
#pragma once

#include "kernels/backends/row_stencil.hpp"
#include "kernels/core/cell.hpp"

namespace cfdmark {

// Independent running values, so that neither the latency of an addition nor a vector's width limits the row;
// a fixed number, so that the result does not depend on the instruction set.
inline constexpr int reduction_lanes = 32;

// Joins value(i) of the cells of a row.
template <class Op, class C, class Value>
[[gnu::always_inline]] inline double reduce_row(int nx, const Value value) {
  constexpr int lanes = reduction_lanes;
  C running[lanes] = {};
  int i = 0;
  for (; i + lanes <= nx; i += lanes) {
    CFDMARK_INDEPENDENT_ITERATIONS
    for (int lane = 0; lane < lanes; ++lane) running[lane] = Op::add(running[lane], value(i + lane));
  }
  for (int lane = 0; i < nx; ++i, ++lane) running[lane] = Op::add(running[lane], value(i));
  double total = 0;
  for (C of_lane : running) total = Op::join(total, double(of_lane));
  return total;
}

// The body on each cell of a row, and their numbers joined. Everything inlined: see sweep_row.
template <class V, class K>
[[gnu::always_inline, gnu::flatten]] inline double join_row(const K kernel,
                                                            const typename K::template Fields<V> fields,
                                                            int j, int k, int nx) {
  return reduce_row<typename K::JoinedBy, typename V::Number>(
      nx, [=](int i) { return sweep_cell<V>(kernel, fields, i, j, k); });
}

}  // namespace cfdmark
