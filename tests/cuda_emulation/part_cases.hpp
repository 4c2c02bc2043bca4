// Device code that runs in tests of ranks only, for the emulated device.
#pragma once

#include "kernels/cells/operator_problem.hpp"
#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/device/field.hpp"
#include "kernels/grid_transfer/part_coarsening.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {

// Prepares the coarsening of parts of operators.
inline void coarsen_parts(CudaBackend& backend) {
  for (const Grid& g : {Grid{6, 6}, {6, 6, 6}})
    for (const Precision p : all_precisions) {
      const HostField any(g, p);
      const std::vector<AnyView> arrays(g.is_3d() ? 7 : 5, any.view());
      GridTransferArgs args;
      args.precision = p, args.pass = TransferPass::operator_coarsening;
      args.fine_grid = g, args.by = full_coarsening(g);
      args.a = args.coarse_a = operator_over(arrays, 0, g);
      coarsening_of_part(backend, args, {.nx = 3, .ny = 3, .nz = g.is_3d() ? 3 : 1});
    }
}

// Prepares multigrid with passes of Jacobi.
inline void smooth_by_jacobi(Backend& backend) {
  const SolverMethod plain = multigrid_solver().methods(BackendKind::cuda).front();
  const auto problem = std::make_shared<const LinearProblem>(make_problem("manufactured", {9, 6}));
  PreparedSolver(multigrid_solver(), plain, backend, Precision::fp64,
                 plain.space.complete({{"smoother", "jacobi"}}), problem);
}

}  // namespace cfdmark
