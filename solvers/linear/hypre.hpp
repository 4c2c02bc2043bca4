// hypre's struct solvers, where they were there when the program was built (hypre.cpp).
#pragma once

#include "solvers/linear/method.hpp"

namespace cfdmark {

// On serial: hypre shares its work among processes of MPI, and a case here is one.
std::vector<SolverMethod> hypre_methods(BackendKind);
std::string hypre_version();  // "2.26.0"; empty if built without

inline SolverDescription hypre_solver() {
  return {.name = "hypre",
          .methods = hypre_methods,
          .boundaries = {BoundaryKind::dirichlet},
          .needs_symmetry = true};
}

}  // namespace cfdmark
