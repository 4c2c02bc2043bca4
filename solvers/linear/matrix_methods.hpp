// The methods of linear solvers that take a stored matrix, for families whose systems have no grid.
#pragma once

#include <vector>

#include "solvers/linear/system/method.hpp"

namespace cfdmark {

// Conjugate gradients: textbook, many iterations in one launch, and cuSPARSE.
std::vector<SolverMethod> matrix_cg_methods(BackendKind);
// BiCGStab without a preconditioner.
std::vector<SolverMethod> matrix_bicgstab_methods(BackendKind);
// hypre's methods on any matrix: BoomerAMG, and CG without a preconditioner.
std::vector<SolverMethod> matrix_hypre_methods(BackendKind);
std::vector<SolverMethod> matrix_ginkgo_methods(BackendKind);

}  // namespace cfdmark
