// Coefficients of CG for libraries that cannot divide. NVRTC reads this file, so it includes no standard
// header.
#include "kernels/device/cuda/primitives/device.cuh"

namespace cfdmark {

// Computes quotient[0] = a / b and quotient[1] = -a / b for a library's axpy; 0 if a or b is 0, as in
// scalar_value. One thread.
template <class T>
__global__ void scalar_quotient(const T* a, const T* b, T* quotient) {
  const T value = *a == 0 || *b == 0 ? T(0) : *a / *b;
  quotient[0] = value;
  quotient[1] = -value;
}

}  // namespace cfdmark
