// Every kernel there is. A new one is one line here.
#pragma once

#include "kernels/axpby/axpby.hpp"
#include "kernels/cg_iteration/cg_iteration.hpp"
#include "kernels/four_variable_update/four_variable_update.hpp"
#include "kernels/gauss_seidel/gauss_seidel.hpp"
#include "kernels/jacobi/jacobi.hpp"
#include "kernels/red_black_sor/red_black_sor.hpp"
#include "kernels/reduction/reduction.hpp"
#include "kernels/smoothing/smoothing.hpp"
#include "kernels/stencil_operator/stencil_operator.hpp"
#include "kernels/stream/stream.hpp"

namespace cfdmark {

// Calls f with the KernelDescription of each.
template <class F>
void for_each_kernel(F&& f) {
  f(copy_kernel());
  f(triad_kernel());
  f(axpy_kernel());
  f(sum_kernel());
  f(dot_kernel());
  f(max_norm_kernel());
  f(apply_kernel());
  f(apply_coefficients_kernel());
  f(residual_kernel());
  f(residual_coefficients_kernel());
  f(cg_direction_kernel());
  f(cg_direction_coefficients_kernel());
  f(cg_update_kernel());
  f(cg_update_coefficients_kernel());
  f(jacobi_kernel());
  f(jacobi_coefficients_kernel());
  f(gauss_seidel_kernel());
  f(gauss_seidel_coefficients_kernel());
  f(red_black_sor_kernel());
  f(red_black_sor_coefficients_kernel());
  f(smoothing_kernel());
  f(four_variable_update_kernel());
}

}  // namespace cfdmark
