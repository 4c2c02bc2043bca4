// Device code of cg_persistent.hpp. NVRTC reads this file, so it includes no standard header.
//
// Like cg_persistent.cu, with one sum over all blocks per iteration: the form of Chronopoulos and Gear,
// s-step iterative methods for symmetric linear systems, J. Comput. Appl. Math. 25 (1989), 153-168. It
// applies A to the residual instead of the direction; A p then follows from the direction's own recurrence:
//
//   w = A r                            sum r . r and w . r: rho and delta; sent together with the rim of w
//   beta = rho / rho_before            p . A p = delta - beta^2 (p . A p)_before
//   p = r + beta p    q = w + beta q   q is A p
//   u = u + alpha p   r = r - alpha q  alpha = rho / p . A p
//
// A warp also keeps r and q around its cells and updates them as the owners do, so only their rim of w has to
// be sent. An iteration then waits for one message and one division; 1 / rho_before is computed while it
// waits. In exact arithmetic the iterates are CG's; in floating point the recursive residual departs from the
// true one somewhat sooner.
#include "kernels/cg_iteration/cg_persistent.cuh"

#include "kernels/cg_iteration/cg_iteration_formula.hpp"
#include "kernels/device/cuda/primitives/dynamic_shared.cuh"
#include "kernels/device/cuda/primitives/grid_sum.cuh"

namespace cfdmark {

// `rims`: of_rim messages per block, twice; zero before the first launch. rho_before is infinite before the
// first iteration.
template <class S, class C, class A, int block_y, int cells>
__global__ void __launch_bounds__(32 * block_y, 1)
    cg_persistent_one_sum(A a, int most, double reduction, View<S> r_field, View<S> p_field, View<S> q_field,
                          View<S> u_field, FlaggedValue* rims, double* rho_memory, double* rho_before_memory,
                          double* curvature_memory, double* iterations_memory, GridSumMemory sums) {
  const PersistentCells<S, block_y, cells> at(r_field);
  constexpr int threads = at.threads;
  double rho = *rho_memory, rho_before = *rho_before_memory;
  const double enough = reduction * rho;
  constexpr double largest = 1.7976931348623157e308;
  const bool is_first = rho_before > largest;  // q is not yet defined
  constexpr double smallest = 1e-300;          // smallest number that is inverted
  double curvature = is_first ? 0 : *curvature_memory;

  // Values of cell n in shared memory.
  S* const kept = dynamic_shared<S>() + at.thread;
  const auto r = [&](int n) -> S& { return kept[n * threads]; };
  const auto q = [&](int n) -> S& { return kept[(cells + n) * threads]; };
  const auto w = [&](int n) -> S& { return kept[(2 * cells + n) * threads]; };
  S u[cells], p[cells];
#pragma unroll
  for (int n = 0; n < cells; ++n) {
    const int cell = at.start + n * at.pitch;
    r(n) = at.inside(n) ? r_field.origin[cell] : S(0);
    q(n) = at.inside(n) && !is_first ? q_field.origin[cell] : S(0);
    p[n] = at.inside(n) ? p_field.origin[cell] : S(0);
    u[n] = at.inside(n) ? u_field.origin[cell] : S(0);
    w(n) = 0;
  }
  Beside<S> r_beside = at.read_beside(r_field), q_beside;
  if (!is_first) q_beside = at.read_beside(q_field);
  order_with_sums();

  unsigned round = *sums.round;
  int done = 0;
  while (true) {
    C of_w = 0, of_r = 0;
    at.template apply<C>(a, &r(0), r_beside, [&](int n, C here, C applied) {
      w(n) = S(applied);
      of_w = SumOperation::add(of_w, Product<C>{here, C(w(n))});
      of_r = SumOperation::add(of_r, Product<C>{here, here});
    });
    at.send_rim(&w(0), rims, ++round);
    double products[2] = {double(of_r), double(of_w)}, inverse = 0;
    Beside<S> w_beside;
    grid_sums<threads>(products, at.thread, sums, round, [&] {
      if (rho_before > smallest) inverse = 1 / rho_before;
      w_beside = at.receive_beside(&w(0), rims, round);
    });
    rho = products[0];
    if (done == most || (done > 0 && !(rho > enough))) break;

    const double beta = rho * inverse;
    curvature = multiply_add(-beta * beta, curvature, products[1]);
    const C b = C(beta), alpha = scalar_value<C>(Scalar{1, &rho, &curvature});
    const auto update = [&](S& r_value, S& q_value, S w_value) {
      q_value = S(cg_direction_value(C(w_value), b, C(q_value)));
      r_value = S(cg_residual_value(C(r_value), alpha, C(q_value)));
    };
    update(r_beside.south, q_beside.south, w_beside.south);
    update(r_beside.north, q_beside.north, w_beside.north);
    update(r_beside.next, q_beside.next, w_beside.next);
#pragma unroll
    for (int n = 0; n < cells; ++n) {
      p[n] = S(cg_direction_value(C(r(n)), b, C(p[n])));
      u[n] = S(cg_solution_value(C(u[n]), alpha, C(p[n])));
      update(r(n), q(n), w(n));
    }
    rho_before = rho;
    ++done;
  }
  order_with_sums();

#pragma unroll
  for (int n = 0; n < cells; ++n)
    if (at.inside(n)) {
      const int cell = at.start + n * at.pitch;
      r_field.origin[cell] = r(n);
      q_field.origin[cell] = q(n);
      p_field.origin[cell] = p[n];
      u_field.origin[cell] = u[n];
    }
  if (blockIdx.x == 0 && at.thread == 0) {
    *rho_memory = rho, *rho_before_memory = rho_before, *curvature_memory = curvature;
    *iterations_memory = done;
    *sums.round = round;
  }
}

}  // namespace cfdmark
