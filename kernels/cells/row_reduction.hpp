// Reductions along a row on a CPU core.
#pragma once

#include "kernels/cells/cell.hpp"
#include "kernels/device/cpu/row_stencil.hpp"

namespace cfdmark {

// Number of independent partial results per row: enough to hide the latency of an addition and to fill vector
// registers. Fixed, so that the result does not depend on the instruction set.
inline constexpr int reduction_lanes = 32;

// Accumulates cell i. A separate function, because "omp simd" would keep a Product in the loop itself in
// memory, one copy per lane.
template <class Op, class C, class Value>
[[gnu::always_inline]] inline C with_cell(C running, const Value& value, int i) {
  return Op::add(running, value(i));
}

// Accumulates n cells from cell i on, each into its own partial result.
template <class Op, int n, class C, class Value>
[[gnu::always_inline]] inline void add_cells(C* running, const Value& value, int i) {
  asm volatile("");  // stops GCC from jamming the outer loop, which would keep partial results in memory
#pragma omp simd
  for (int lane = 0; lane < n; ++lane) running[lane] = with_cell<Op>(running[lane], value, i + lane);
}

// Returns the reduction of value(i) over a row of nx cells.
template <class Op, class C, class Value>
[[gnu::always_inline]] inline double reduce_values(int nx, const Value& value) {
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

// Applies the body to each cell of a row and returns the reduced result. Everything is inlined; see
// sweep_row.
template <class V, class K>
[[gnu::always_inline, gnu::flatten]] inline double reduce_row(const K kernel,
                                                              const typename K::template Fields<V> fields,
                                                              int j, int k, int nx) {
  return reduce_values<typename K::Reduction, typename V::Number>(
      nx, [&](int i) { return sweep_cell<V>(kernel, fields, i, j, k); });
}

}  // namespace cfdmark
