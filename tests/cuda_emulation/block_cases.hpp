// Cases in which block solvers run on the emulated device.
#pragma once

#include "tests/solvers/block/block_solve.hpp"

namespace cfdmark {

// Returns the layouts in which a solver is emulated: its default, and the host's.
inline std::vector<Config> emulated_layouts(const BlockMethod& method, Precision p) {
  if (method.name == "plain" && p == Precision::mixed) return {{}, {{"layout", "aos25"}}};
  return {{}};
}

template <class F>
void for_each_cuda_block_solver(const F& f) {
  for (const BlockProblemDescription& description : block_problem_table()) {
    const auto problem = posed_blocks(description.name, Grid{5, 3, 3});
    for (const BlockSolverDescription& solver : block_solver_table()) {
      // The second-order residual is the same for all solvers.
      if (description.residual != BlockSweep::residual && solver.name != "block_jacobi") continue;
      for (const BlockMethod& method : solver.methods(BackendKind::cuda))
        for (Precision p : all_precisions)
          if (method.name == "plain" || p == Precision::mixed) f(solver, method, p, problem);
    }
  }
}

}  // namespace cfdmark
