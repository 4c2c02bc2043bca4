// The methods of conjugate gradients (Hestenes and Stiefel; Normore 2010, algorithms 2.6 and 2.7).
#pragma once

#include "solvers/linear/krylov/preconditioner.hpp"
#include "solvers/linear/system/method.hpp"
#include "solvers/linear/system/null_space.hpp"

namespace cfdmark {

inline const Setting cg_interval{"check_interval", {1, 5, 10, 20}, 10, between_looks};

// Each function returns one method, or none on a backend that lacks what it needs. The textbook and fused
// methods keep both coefficients in the backend's memory; the host reads the residual every check_interval
// iterations.

// The textbook method: one kernel per operation of the algorithm. It runs on every operator.
std::vector<SolverMethod> textbook_cg(BackendKind);
// The same preconditioned by the operator's diagonal. Not in the table of solvers: on most problems there the
// diagonal is constant.
std::vector<SolverMethod> diagonal_pcg(BackendKind);
// The same iteration in three passes on every operator: A p with p . A p, r with r . r, u with the next p
// (kernels/cg_vectors). For operators that are not singular. Not in the table of solvers: stencils have a
// fused method.
std::vector<SolverMethod> passes_cg(BackendKind);
// The fused method: the same iteration in two kernels (kernels/cg_iteration).
std::vector<SolverMethod> fused_cg(BackendKind);
// The fused iteration with a preconditioner and a separate r.z.
std::vector<SolverMethod> fused_pcg(BackendKind, const char* name, PreconditionerKind);
// Several iterations per launch with each cell's values kept on chip (kernels/cg_iteration/cg_persistent.cu).
// The kernel checks the residual itself. For 2-D grids on CUDA, up to the size that is resident at once.
std::vector<SolverMethod> persistent_cg(BackendKind);
// The same on a matrix whose vectors fit into the device's shared memory
// (kernels/cg_iteration/cg_persistent_csr.cu). Not in the table of solvers.
std::vector<SolverMethod> persistent_matrix_cg(BackendKind);
// CG with one point of summation an iteration instead of two (Chronopoulos and Gear 1989): r.r and r . A r
// next to each other. In 32 bits the residual is replaced by b - A u where it has fallen far. It runs on
// every operator.
std::vector<SolverMethod> one_sum_cg(BackendKind);
// The same with A applied to a vector that does not depend on the sums (Ghysels and Vanroose 2014). It has
// more recurrences, and without regular replacement stagnates at a larger residual. In fp64 only.
std::vector<SolverMethod> pipelined_cg(BackendKind);
// CG on cuSPARSE and cuBLAS; see cg_cusparse.hpp.
std::vector<SolverMethod> cusparse_cg(BackendKind);
std::string cusparse_version();  // such as "12.6.3"; empty in a build without cuSPARSE

}  // namespace cfdmark
