// Device code of cg_persistent.hpp. NVRTC reads this file: no standard header here.
//
// As cg_persistent.cu, with one sum over all blocks an iteration, which is its one barrier: the form of
// Chronopoulos and Gear, s-step iterative methods for symmetric linear systems, J. Comput. Appl. Math. 25
// (1989), 153-168. It multiplies the residual by A, not the direction, of which A p then follows by the
// direction's own recurrence:
//
//   w = A r                            sum r . r and w . r: rho and delta
//   beta = rho / rho_before            alpha = rho / (delta - beta rho / alpha_before)
//   p = r + beta p    q = w + beta q   q is A p
//   u = u + alpha p   r = r - alpha q
//
// A warp keeps what lies around its cells of r and q too, and works it out as the neighbours do: their rim of
// w is all that has to come from them, with the sum. It has two places, in turn: one is read while the other
// is written. In exact numbers the iterates are CG's; in floating point its residual drifts off the true one
// somewhat sooner.
#include "kernels/cg_iteration/cg_persistent.cuh"

#include "kernels/backends/dynamic_shared.cuh"
#include "kernels/backends/grid_sum.cuh"
#include "kernels/cg_iteration/cg_iteration_formula.hpp"

namespace cfdmark {

// A cell of r and q.
template <class S, class C>
struct ResidualAndProduct {
  S r = 0, q = 0;
  __device__ __forceinline__ void update(S w, C alpha, C beta) {
    q = S(cg_direction_value(C(w), beta, C(q)));
    r = S(cg_residual_value(C(r), alpha, C(q)));
  }
};

// rho_before is infinity where there was no iteration before.
template <class S, class C, class A, int block_y, int cells>
__global__ void __launch_bounds__(32 * block_y, 1)
    cg_persistent_one_sum(A a, int most, double reduction, View<S> r_field, View<S> p_field, View<S> q_field,
                          View<S> u_field, View<S> rim, View<S> rim_in_turns, double* rho_memory,
                          double* rho_before_memory, double* alpha_before_memory, double* iterations_memory,
                          GridSumMemory sums) {
  const PersistentCells<S, block_y, cells> at(r_field);
  constexpr int threads = at.threads;
  double rho = *rho_memory, rho_before = *rho_before_memory, alpha_before = *alpha_before_memory;
  const double enough = reduction * rho;
  constexpr double largest = 1.7976931348623157e308;
  const bool is_first = rho_before > largest;  // q is not there yet

  // Of cell n.
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
  using Around = ResidualAndProduct<S, C>;
  const auto around = [&](bool is_there, int cell) {
    if (!is_there) return Around{};
    return Around{r_field.origin[cell], is_first ? S(0) : q_field.origin[cell]};
  };
  const bool has_south = at.inside(0), has_north = at.inside(cells - 1);
  const int to_south = at.start - at.pitch, to_north = at.start + cells * at.pitch;
  Around south = around(has_south, to_south), north = around(has_north, to_north),
         next = around(at.has_next, at.next);

  unsigned round = *sums.round;
  S *rim_now = rim.origin, *rim_then = rim_in_turns.origin;
  int done = 0;
  while (true) {
    C of_w = 0, of_r = 0;
    at.apply(a, &r(0), C(south.r), C(north.r), C(next.r), [&](int n, C here, C applied) {
      w(n) = S(applied);
      of_w = SumOperation::add(of_w, Product<C>{here, C(w(n))});
      of_r = SumOperation::add(of_r, Product<C>{here, here});
    });
    at.store_rim(&w(0), rim_now);
    double products[2] = {double(of_r), double(of_w)};
    grid_sums<threads>(products, at.thread, sums, ++round);
    rho = products[0];
    if (done == most || (done > 0 && !(rho > enough))) break;

    const double beta = scalar_value(1, &rho, &rho_before);
    double curvature = products[1];
    if (beta != 0) curvature -= beta * scalar_value(1, &rho, &alpha_before);
    const double alpha = scalar_value(1, &rho, &curvature);
    const C b = C(beta), step = C(alpha);
    south.update(has_south ? rim_now[to_south] : S(0), step, b);
    north.update(has_north ? rim_now[to_north] : S(0), step, b);
    next.update(at.has_next ? rim_now[at.next] : S(0), step, b);
#pragma unroll
    for (int n = 0; n < cells; ++n) {
      p[n] = S(cg_direction_value(C(r(n)), b, C(p[n])));
      u[n] = S(cg_solution_value(C(u[n]), step, C(p[n])));
      Around here{r(n), q(n)};
      here.update(w(n), step, b);
      r(n) = here.r, q(n) = here.q;
    }
    rho_before = rho, alpha_before = alpha;
    S* const turned = rim_now;
    rim_now = rim_then, rim_then = turned;
    ++done;
  }

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
    *rho_memory = rho, *rho_before_memory = rho_before, *alpha_before_memory = alpha_before;
    *iterations_memory = done;
    *sums.round = round;
  }
}

}  // namespace cfdmark
