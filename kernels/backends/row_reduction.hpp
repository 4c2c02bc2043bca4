// Rows whose cells' numbers are joined, on a CPU core.
#pragma once

#include "kernels/backends/row_stencil.hpp"
#include "kernels/core/cell.hpp"

namespace cfdmark {

// Independent running values, so that neither the latency of an addition nor a vector's width limits the row;
// a fixed number, so that the result does not depend on the instruction set.
inline constexpr int reduction_lanes = 32;

// What cell i adds to a running value. Not said in the loop itself: "omp simd" would keep a Product there in
// memory, one copy a lane.
template <class Op, class C, class Value>
[[gnu::always_inline]] inline C with_cell(C running, const Value& value, int i) {
  return Op::add(running, value(i));
}

// n cells from cell i on, each to a running value of its own.
template <class Op, int n, class C, class Value>
[[gnu::always_inline]] inline void add_cells(C* running, const Value& value, int i) {
  asm volatile("");  // or GCC jams the turns of the loop around this, and keeps the running values in memory
#pragma omp simd
  for (int lane = 0; lane < n; ++lane) running[lane] = with_cell<Op>(running[lane], value, i + lane);
}

// Joins value(i) of the cells of a row.
template <class Op, class C, class Value>
[[gnu::always_inline]] inline double reduce_row(int nx, const Value& value) {
  constexpr int lanes = reduction_lanes, some = lanes / 4;
  C running[lanes] = {};
  int i = 0;
  for (; i + lanes <= nx; i += lanes) add_cells<Op, lanes>(running, value, i);
  C* rest = running;
  for (; i + some <= nx; i += some, rest += some) add_cells<Op, some>(rest, value, i);
  for (; i < nx; ++i, ++rest) add_cells<Op, 1>(rest, value, i);
  double total = 0;
#pragma GCC unroll 32
  for (C of_lane : running) total = Op::join(total, double(of_lane));
  return total;
}

// The body on each cell of a row, and their numbers joined. Everything inlined: see sweep_row.
template <class V, class K>
[[gnu::always_inline, gnu::flatten]] inline double join_row(const K kernel,
                                                            const typename K::template Fields<V> fields,
                                                            int j, int k, int nx) {
  return reduce_row<typename K::JoinedBy, typename V::Number>(
      nx, [&](int i) { return sweep_cell<V>(kernel, fields, i, j, k); });
}

}  // namespace cfdmark
