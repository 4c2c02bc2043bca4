// The list of all kernels.
#pragma once

#include "generated/cell_kernels.hpp"
#include "kernels/block_relaxation/block_methods.hpp"
#include "kernels/cells/cell_kernel.hpp"
#include "kernels/cg_iteration/cg_iteration.hpp"
#include "kernels/grid_transfer/grid_transfer.hpp"

namespace cfdmark {

template <class F, class... K>
void for_each_cell_kernel(KernelTypes<K...>, const F& f) {
  (f(CellKernel<K>::kernel()), ...);
}

// Calls f with the KernelDescription of each kernel.
template <class F>
void for_each_kernel(F&& f) {
  for_each_cell_kernel(CellKernels{}, f);
  f(cg_direction_kernel());
  f(cg_update_kernel());
  f(restriction_kernel());
  f(prolongation_kernel());
  f(operator_coarsening_kernel());
  f(block_jacobi_kernel());
  f(block_ssor_kernel());
  f(block_revised_ssor_kernel());
  f(block_red_black_kernel());
}

}  // namespace cfdmark
