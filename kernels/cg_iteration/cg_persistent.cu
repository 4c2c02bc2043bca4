// Device code of cg_persistent.hpp. NVRTC reads this file: no standard header here.
//
// Many iterations of CG in one launch. A warp has 32 columns side by side, each `cells` high; the threads'
// cells of r and p stay in registers, those of u and A p in shared memory. Only the rim of a warp's cells
// goes through memory, where its neighbours read it: `o` is stored, `.` is not.
//
//       lanes 0 .. 31
//       o o o o o o o      first row
//       o . . . . . o
//       o . . . . . o      `cells` rows
//       o o o o o o o      last row
//
// An iteration has two halves, and each ends with a sum over all blocks, which is their barrier too:
//
//   p = r + beta p    sum p . A p     the rim's neighbours compute p anew from r and p as they were
//   r = r - alpha A p   sum r . r
//
// So p has two places, in turn: one is read while the other is written. Values, roundings and the order
// within a thread are those of cg_iteration.cu. Cells beyond the grid are 0, as its ghost layer is.
#include "kernels/backends/device.cuh"
#include "kernels/backends/dynamic_shared.cuh"
#include "kernels/backends/grid_sum.cuh"
#include "kernels/backends/strips.cuh"
#include "kernels/cg_iteration/cg_iteration_formula.hpp"
#include "kernels/core/stencil.hpp"

namespace cfdmark {

template <class S, class C, class A, int block_y, int cells>
__global__ void __launch_bounds__(32 * block_y, 1)
    cg_persistent(A a, int most, double reduction, View<S> r_field, View<S> p_field, View<S> p_in_turns,
                  View<S> u_field, double* rho_memory, double* rho_before_memory, double* iterations_memory,
                  GridSumMemory sums) {
  constexpr int lanes = 32, threads = lanes * block_y;
  const int lane = int(threadIdx.x), thread = int(threadIdx.y) * lanes + lane;
  const int across = (r_field.nx + lanes - 1) / lanes;
  const int i = int(blockIdx.x) % across * lanes + lane;
  const int first = (int(blockIdx.x) / across * block_y + int(threadIdx.y)) * cells;
  const int nx = r_field.nx, ny = r_field.ny;
  // Counted in 32 bits: they stay in registers, and a grid that the device holds is small.
  const int pitch = int(r_field.pitch), start = i + first * pitch;
  const auto inside = [&](int n) { return i < nx && first + n < ny; };
  const bool at_side = lane == 0 || lane == lanes - 1;
  const int side = lane == 0 ? -1 : 1;

  // Of cell n: u, and A p.
  S* const kept = dynamic_shared<S>() + thread;
  const auto u = [&](int n) -> S& { return kept[n * threads]; };
  const auto product = [&](int n) -> S& { return kept[(cells + n) * threads]; };

  S r[cells], p[cells];
#pragma unroll
  for (int n = 0; n < cells; ++n) {
    const int cell = start + n * pitch;
    r[n] = inside(n) ? r_field.origin[cell] : S(0);
    p[n] = inside(n) ? p_field.origin[cell] : S(0);
    u(n) = inside(n) ? u_field.origin[cell] : S(0);
  }
  const auto store_rim = [&](const S(&values)[cells], S* field) {
#pragma unroll
    for (int n = 0; n < cells; ++n)
      if (inside(n) && (at_side || n == 0 || n == cells - 1)) field[start + n * pitch] = values[n];
  };

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
    C south = inside(0) ? new_direction(start - pitch) : C(0);
    const C beyond = inside(cells - 1) ? new_direction(start + cells * pitch) : C(0);
#pragma unroll
    for (int n = 0; n < cells; ++n) p[n] = S(cg_direction_value(C(r[n]), beta, C(p[n])));
    store_rim(p, p_now);
    C running = 0;
#pragma unroll
    for (int n = 0; n < cells; ++n) {
      C west = C(__shfl_up_sync(0xffffffffu, p[n], 1)), east = C(__shfl_down_sync(0xffffffffu, p[n], 1));
      S of_cell = 0;
      if (inside(n)) {
        if (at_side) (lane == 0 ? west : east) = new_direction(start + n * pitch + side);
        const C north = n + 1 < cells ? C(p[n + 1 < cells ? n + 1 : n]) : beyond;
        of_cell = S(stencil_apply<2, C>(a.template at<2>(i, first + n, 0),
                                        FivePoints<C, C>{C(p[n]), west, east, south, north}));
        running = SumOperation::add(running, Product<C>{C(p[n]), C(of_cell)});
      }
      product(n) = of_cell;
      south = C(p[n]);
    }
    const double p_product = grid_sum<threads>(double(running), thread, sums, ++round);

    const C alpha = scalar_value<C>(Scalar{1, &rho, &p_product});
    running = 0;
#pragma unroll
    for (int n = 0; n < cells; ++n) {
      u(n) = S(cg_solution_value(C(u(n)), alpha, C(p[n])));
      r[n] = S(cg_residual_value(C(r[n]), alpha, C(product(n))));
      running = SumOperation::add(running, Product<C>{C(r[n]), C(r[n])});
    }
    store_rim(r, r_field.origin);
    rho_before = rho;
    rho = grid_sum<threads>(double(running), thread, sums, ++round);
    S* const turned = p_before;
    p_before = p_now, p_now = turned;
    ++done;
  }

#pragma unroll
  for (int n = 0; n < cells; ++n)
    if (inside(n)) {
      const int cell = start + n * pitch;
      r_field.origin[cell] = r[n];
      p_field.origin[cell] = p[n];
      u_field.origin[cell] = u(n);
    }
  if (blockIdx.x == 0 && thread == 0) {
    *rho_memory = rho, *rho_before_memory = rho_before;
    *iterations_memory = done;
    *sums.round = round;
  }
}

}  // namespace cfdmark
