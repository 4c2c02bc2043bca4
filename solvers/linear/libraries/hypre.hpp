// hypre's solvers, if hypre was found at build time: PFMG on stencils (hypre.cpp), and BoomerAMG on matrices
// (hypre_amg.cpp).
#pragma once

#include "solvers/linear/system/method.hpp"

namespace cfdmark {

// Returns the methods on serial. hypre distributes work among MPI processes, and a case here is one process.
std::vector<SolverMethod> hypre_methods(BackendKind);
// Returns hypre's CG without a preconditioner, on matrices. Not in the table of solvers.
std::vector<SolverMethod> hypre_cg(BackendKind);
std::string hypre_version();  // such as "2.26.0"; empty in a build without hypre

inline SolverDescription hypre_solver() {
  return {.name = "hypre",
          .methods = hypre_methods,
          .boundaries = {BoundaryKind::dirichlet},
          .needs_symmetry = true};
}

}  // namespace cfdmark
