// One row of a reduction on a CPU core.
#pragma once

#include "kernels/core/reduction_operations.hpp"

namespace cfdmark {

// Independent running values, so that neither the latency of an addition nor a vector's width limits the row;
// a fixed number, so that the result does not depend on the instruction set.
inline constexpr int reduction_lanes = 32;

template <class Op, class S, class C>
double reduce_row(const S* x, const S* y, int nx) {
  constexpr int lanes = reduction_lanes;
  C running[lanes] = {};
  int i = 0;
  for (; i + lanes <= nx; i += lanes)
#pragma omp simd
    for (int lane = 0; lane < lanes; ++lane)
      running[lane] = Op::template add<C>(running[lane], C(x[i + lane]), C(y[i + lane]));
  for (int lane = 0; i < nx; ++i, ++lane)
    running[lane] = Op::template add<C>(running[lane], C(x[i]), C(y[i]));
  double total = 0;
  for (C value : running) total = Op::template join<double>(total, double(value));
  return total;
}

}  // namespace cfdmark
