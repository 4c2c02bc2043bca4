// CG as one writes it with NVIDIA's libraries: a sparse matrix in compressed rows, its product from cuSPARSE
// and the vector operations from cuBLAS. A library row, to see what a matrix-free CG is worth.
#pragma once

#include <memory>

#include "kernels/backends/cuda_plan.hpp"
#include "solvers/solver.hpp"
#include "solvers/system.hpp"

namespace cfdmark {

// The system is on the cuda backend. spmv_algorithm 1 or 2 is CUSPARSE_SPMV_CSR_ALG1 or 2, of which the
// second promises the same bits run after run. Throws std::invalid_argument if the matrix is too large.
std::unique_ptr<Solver> cusparse_cg_solver(const System&, int check_interval, int spmv_algorithm);

// quotient[0] = a / b, quotient[1] = -a / b: CG's coefficients, which BLAS cannot divide, without a visit to
// the host.
template <class T>
Launch quotient_launch(const T* a, const T* b, T* quotient) {
  return {{"kernels/axpy/scalar_quotient.cu", instance<T>("scalar_quotient", {})},
          {},
          {},
          Arguments(a, b, quotient)};
}

}  // namespace cfdmark
