// CG as one writes it with NVIDIA's libraries: a sparse matrix in compressed rows, its product from cuSPARSE
// and the vector operations from cuBLAS. A library row, to see what a matrix-free CG is worth.
#pragma once

#include "kernels/backends/cuda_plan.hpp"

namespace cfdmark {

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
