// Device code of cg_persistent.hpp. NVRTC reads this file, so it includes no standard header.
//
// Many iterations of CG in one launch. Each thread keeps its cells of u in registers and those of r, p and A
// p in shared memory. Values around a block's cells arrive as messages (cg_persistent.cuh).
//
// An iteration has two halves, and each ends with a sum over all blocks, which also synchronises them:
//
//   p = r + beta p    sum p . A p     a warp also keeps p around its cells and updates it as the owners do,
//   r = r - alpha A p   sum r . r     so only their rim of r has to be sent
//
// Values, roundings and the order within a thread equal those of cg_iteration.cu. Cells outside the grid are
// 0, like its ghosts.
#include "kernels/cg_iteration/cg_persistent.cuh"

#include "kernels/cg_iteration/cg_iteration_formula.hpp"
#include "kernels/device/cuda/primitives/dynamic_shared.cuh"
#include "kernels/device/cuda/primitives/grid_sum.cuh"

namespace cfdmark {

// `rims`: of_rim messages per block, twice; zero before the first launch.
template <class S, class C, class A, int block_y, int cells>
__global__ void __launch_bounds__(32 * block_y, 1)
    cg_persistent(A a, int most, double reduction, View<S> r_field, View<S> p_field, View<S> u_field,
                  FlaggedValue* rims, double* rho_memory, double* rho_before_memory,
                  double* iterations_memory, GridSumMemory sums) {
  const PersistentCells<S, block_y, cells> at(r_field);
  constexpr int threads = at.threads;
  // Values of cell n in shared memory.
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

  Beside<S> p_beside = at.read_beside(p_field), r_beside = at.read_beside(r_field);
  order_with_sums();

  double rho = *rho_memory, rho_before = *rho_before_memory;
  const double enough = reduction * rho;
  unsigned round = *sums.round;
  int done = 0;
  while (done < most && (done == 0 || rho > enough)) {
    const C beta = scalar_value<C>(Scalar{1, &rho, &rho_before});
    const auto turn = [&](S& p_value, S r_value) {
      p_value = S(cg_direction_value(C(r_value), beta, C(p_value)));
    };
    turn(p_beside.south, r_beside.south);
    turn(p_beside.north, r_beside.north);
    turn(p_beside.next, r_beside.next);
#pragma unroll
    for (int n = 0; n < cells; ++n) turn(p(n), r(n));
    C running = 0;
    at.template apply<C>(a, &p(0), p_beside, [&](int n, C here, C applied) {
      product(n) = S(applied);
      running = SumOperation::add(running, Product<C>{here, C(product(n))});
    });
    const double p_product = grid_sum<threads>(double(running), at.thread, sums, ++round, [] {});

    const C alpha = scalar_value<C>(Scalar{1, &rho, &p_product});
    running = 0;
#pragma unroll
    for (int n = 0; n < cells; ++n) {
      u[n] = S(cg_solution_value(C(u[n]), alpha, C(p(n))));
      r(n) = S(cg_residual_value(C(r(n)), alpha, C(product(n))));
      running = SumOperation::add(running, Product<C>{C(r(n)), C(r(n))});
    }
    at.send_rim(&r(0), rims, ++round);
    rho_before = rho;
    rho = grid_sum<threads>(double(running), at.thread, sums, round,
                            [&] { r_beside = at.receive_beside(&r(0), rims, round); });
    ++done;
  }
  order_with_sums();

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
