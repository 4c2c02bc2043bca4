// Coefficients of CG for a library that cannot divide. NVRTC reads this file: no standard header here.
#include "kernels/backends/device.cuh"

namespace cfdmark {

// quotient[0] = a / b, quotient[1] = -a / b: coefficients for a library's axpy. As in scalar_value, 0 where
// either is 0. One thread.
template <class T>
__global__ void scalar_quotient(const T* a, const T* b, T* quotient) {
  const T value = *a == 0 || *b == 0 ? T(0) : *a / *b;
  quotient[0] = value;
  quotient[1] = -value;
}

}  // namespace cfdmark
