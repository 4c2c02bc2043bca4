// CG on NVIDIA's libraries: a CSR matrix whose product comes from cuSPARSE, and vector operations from
// cuBLAS. It is the reference for the speedup of a matrix-free CG.
#pragma once

#include "kernels/device/cuda/plan/cuda_plan.hpp"

namespace cfdmark {

// Launch that computes quotient[0] = a / b and quotient[1] = -a / b on the device. BLAS has no division, and
// CG's coefficients must not travel through the host.
template <class T>
Launch quotient_launch(const T* a, const T* b, T* quotient) {
  return {{"kernels/axpy/scalar_quotient.cu", instance<T>("scalar_quotient", {})},
          {},
          {},
          Arguments(a, b, quotient)};
}

}  // namespace cfdmark
