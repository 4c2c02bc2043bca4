// Device code of cg_persistent.hpp. NVRTC reads this file: no standard header here.
//
// Many iterations of CG in one launch. The threads' cells of u stay in registers, those of r, p and A p in
// shared memory; what lies around a warp's cells goes through memory (cg_persistent.cuh).
//
// An iteration has two halves, and each ends with a sum over all blocks, which is their barrier too:
//
//   p = r + beta p    sum p . A p     the rim's neighbours compute p anew from r and p as they were
//   r = r - alpha A p   sum r . r
//
// So p has two places, in turn: one is read while the other is written. Values, roundings and the order
// within a thread are those of cg_iteration.cu. Cells beyond the grid are 0, as its ghost layer is.
#include "kernels/cg_iteration/cg_persistent.cuh"

#include "kernels/backends/dynamic_shared.cuh"
#include "kernels/backends/grid_sum.cuh"
#include "kernels/cg_iteration/cg_iteration_formula.hpp"

namespace cfdmark {

template <class S, class C, class A, int block_y, int cells>
__global__ void __launch_bounds__(32 * block_y, 1)
    cg_persistent(A a, int most, double reduction, View<S> r_field, View<S> p_field, View<S> p_in_turns,
                  View<S> u_field, double* rho_memory, double* rho_before_memory, double* iterations_memory,
                  GridSumMemory sums) {
  const PersistentCells<S, block_y, cells> at(r_field);
  constexpr int threads = at.threads;
  // Of cell n.
  S* const kept = dynamic_shared<S>() + at.thread;
  const auto r = [&](int n) -> S& { return kept[n * threads]; };
  const auto p = [&](int n) -> S& { return kept[(cells + n) * threads]; };
  const auto product = [&](int n) -> S& { return kept[(2 * cells + n) * threads]; };
  S u[cells];
#pragma unroll
  for (int n = 0; n < cells; ++n) {
    const int cell = at.start + n * at.pitch;
    r(n) = at.inside(n) ? r_field.origin[cell] : S(0);
    p(n) = at.inside(n) ? p_field.origin[cell] : S(0);
    u[n] = at.inside(n) ? u_field.origin[cell] : S(0);
    product(n) = 0;
  }

  double rho = *rho_memory, rho_before = *rho_before_memory;
  const double enough = reduction * rho;
  unsigned round = *sums.round;
  S *p_before = p_field.origin, *p_now = p_in_turns.origin;
  int done = 0;
  while (done < most && (done == 0 || rho > enough)) {
    const C beta = scalar_value<C>(Scalar{1, &rho, &rho_before});
    const auto new_direction = [&](int cell) {
      return C(S(cg_direction_value(C(r_field.origin[cell]), beta, C(p_before[cell]))));
    };
    const C of_next = at.has_next ? new_direction(at.next) : C(0);
    const C south = at.inside(0) ? new_direction(at.start - at.pitch) : C(0);
    const C north = at.inside(cells - 1) ? new_direction(at.start + cells * at.pitch) : C(0);
#pragma unroll
    for (int n = 0; n < cells; ++n) p(n) = S(cg_direction_value(C(r(n)), beta, C(p(n))));
    at.store_rim(&p(0), p_now);
    C running = 0;
    at.apply(a, &p(0), south, north, of_next, [&](int n, C here, C applied) {
      product(n) = S(applied);
      running = SumOperation::add(running, Product<C>{here, C(product(n))});
    });
    const double p_product = grid_sum<threads>(double(running), at.thread, sums, ++round);

    const C alpha = scalar_value<C>(Scalar{1, &rho, &p_product});
    running = 0;
#pragma unroll
    for (int n = 0; n < cells; ++n) {
      u[n] = S(cg_solution_value(C(u[n]), alpha, C(p(n))));
      r(n) = S(cg_residual_value(C(r(n)), alpha, C(product(n))));
      running = SumOperation::add(running, Product<C>{C(r(n)), C(r(n))});
    }
    at.store_rim(&r(0), r_field.origin);
    rho_before = rho;
    rho = grid_sum<threads>(double(running), at.thread, sums, ++round);
    S* const turned = p_before;
    p_before = p_now, p_now = turned;
    ++done;
  }

#pragma unroll
  for (int n = 0; n < cells; ++n)
    if (at.inside(n)) {
      const int cell = at.start + n * at.pitch;
      r_field.origin[cell] = r(n);
      p_field.origin[cell] = p(n);
      u_field.origin[cell] = u[n];
    }
  if (blockIdx.x == 0 && at.thread == 0) {
    *rho_memory = rho, *rho_before_memory = rho_before;
    *iterations_memory = done;
    *sums.round = round;
  }
}

}  // namespace cfdmark
