// Device code of cg_persistent_csr.hpp. NVRTC reads this file, so it includes no standard header.
//
// One sum over all blocks per iteration, in the form of Chronopoulos and Gear (cg_persistent_one_sum.cu has
// the recurrences and the reference). A block also keeps r and q of the rows that its own rows read, and
// updates them as their owners do, so that only w = A r of those rows has to be sent, together with the sums.
#include "kernels/cg_iteration/cg_iteration_formula.hpp"
#include "kernels/cg_iteration/csr_parts.hpp"
#include "kernels/device/cuda/primitives/dynamic_shared.cuh"
#include "kernels/device/cuda/primitives/grid_sum.cuh"

namespace cfdmark {

// `messages`: one per row, twice; zero before the first launch. p and q are read after the first iteration.
template <class S, class C, int threads>
__global__ void __launch_bounds__(threads, 1)
    csr_persistent(CsrParts<S> parts, int matrix_rows, int most, double reduction, S* r_memory, S* p_memory,
                   S* q_memory, S* u_memory, FlaggedValue* messages, double* rho_memory,
                   double* rho_before_memory, double* curvature_memory, double* iterations_memory,
                   GridSumMemory sums) {
  const CsrPart part = parts.part[blockIdx.x];
  const int thread = int(threadIdx.x), kept = part.rows + part.halo;
  const unsigned short* const column = parts.column + part.first_entry;
  const S* const value = parts.value + part.first_entry;
  const int* const halo = parts.halo + part.first_halo;
  const auto row_of = [&](int n) { return n < part.rows ? part.first + n : halo[n - part.rows]; };

  double rho = *rho_memory, rho_before = *rho_before_memory;
  const double enough = reduction * rho;
  constexpr double largest = 1.7976931348623157e308, smallest = 1e-300;
  const bool is_first = rho_before > largest;  // p and q are not yet defined
  double curvature = is_first ? 0 : *curvature_memory;

  S* const r = dynamic_shared<S>();
  S *const q = r + kept, *const w = q + kept, *const p = w + kept, *const u = p + part.rows;
  for (int n = thread; n < kept; n += threads) {
    const int row = row_of(n);
    r[n] = r_memory[row], q[n] = is_first ? S(0) : q_memory[row];
    if (n < part.rows) p[n] = is_first ? S(0) : p_memory[row], u[n] = u_memory[row];
  }
  order_with_sums();

  unsigned round = *sums.round;
  int done = 0;
  while (true) {
    FlaggedValue* const of_round = messages + Index(++round % 2) * matrix_rows;
    double products[2] = {0, 0}, inverse = 0;
    for (int n = thread; n < part.rows; n += threads) {
      C sum = 0;
      for (int m = 0; m < part.width; ++m)
        sum = multiply_add(C(value[m * part.rows + n]), C(r[column[m * part.rows + n]]), sum);
      w[n] = S(sum);
      if (parts.is_sent[part.first + n]) send(of_round + part.first + n, flagged(double(w[n]), round));
      const double here = double(r[n]);
      products[0] = multiply_add(here, here, products[0]);
      products[1] = multiply_add(here, double(w[n]), products[1]);
    }
    grid_sums<threads>(products, thread, sums, round, [&] {
      if (rho_before > smallest) inverse = 1 / rho_before;
      for (int n = part.rows + thread; n < kept; n += threads) {
        FlaggedValue message = look_at(of_round + row_of(n));
        while (!is_of(message, round)) {
          let_others_go_on();
          message = look_at(of_round + row_of(n));
        }
        w[n] = S(value_of(message));
      }
    });
    rho = products[0];
    if (done == most || (done > 0 && !(rho > enough))) break;

    const double beta = rho * inverse;
    curvature = multiply_add(-beta * beta, curvature, products[1]);
    const C b = C(beta), alpha = scalar_value<C>(Scalar{1, &rho, &curvature});
    for (int n = thread; n < kept; n += threads) {
      if (n < part.rows) {
        p[n] = S(cg_direction_value(C(r[n]), b, C(p[n])));
        u[n] = S(cg_solution_value(C(u[n]), alpha, C(p[n])));
      }
      q[n] = S(cg_direction_value(C(w[n]), b, C(q[n])));
      r[n] = S(cg_residual_value(C(r[n]), alpha, C(q[n])));
    }
    rho_before = rho;
    ++done;
    __syncthreads();
  }
  order_with_sums();

  for (int n = thread; n < part.rows; n += threads) {
    const int row = part.first + n;
    r_memory[row] = r[n], q_memory[row] = q[n], p_memory[row] = p[n], u_memory[row] = u[n];
  }
  if (blockIdx.x == 0 && thread == 0) {
    *rho_memory = rho, *rho_before_memory = rho_before, *curvature_memory = curvature;
    *iterations_memory = done;
    *sums.round = round;
  }
}

}  // namespace cfdmark
