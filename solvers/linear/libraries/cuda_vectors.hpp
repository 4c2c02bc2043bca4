// Vector operations of cuBLAS as work of a plan (kernels/device/cuda/plan/cuda_plan.hpp), overloaded for 32
// and 64 bits. Scalars lie in the device's memory.
#pragma once

#include "kernels/device/cuda/runtime/cuda_library.hpp"

namespace cfdmark {

template <class T>
T* values(const DenseField& f) {
  return static_cast<T*>(f.data());
}

inline cublasStatus_t dot(cublasHandle_t blas, Index n, const float* x, const float* y, float* result) {
  return cublasSdot_64(blas, n, x, 1, y, 1, result);
}
inline cublasStatus_t dot(cublasHandle_t blas, Index n, const double* x, const double* y, double* result) {
  return cublasDdot_64(blas, n, x, 1, y, 1, result);
}
inline cublasStatus_t axpy(cublasHandle_t blas, Index n, const float* alpha, const float* x, float* y) {
  return cublasSaxpy_64(blas, n, alpha, x, 1, y, 1);
}
inline cublasStatus_t axpy(cublasHandle_t blas, Index n, const double* alpha, const double* x, double* y) {
  return cublasDaxpy_64(blas, n, alpha, x, 1, y, 1);
}
inline cublasStatus_t scale(cublasHandle_t blas, Index n, const float* alpha, float* x) {
  return cublasSscal_64(blas, n, alpha, x, 1);
}
inline cublasStatus_t scale(cublasHandle_t blas, Index n, const double* alpha, double* x) {
  return cublasDscal_64(blas, n, alpha, x, 1);
}

// Returns a call of routine(blas) on the backend's stream. The handle is shared, so each call sets the
// pointer mode.
template <class Routine>
HostCall blas_call(const char* doing, Routine routine) {
  const auto call = [=](const CudaQueue& queue) {
    check_blas(cublasSetPointerMode(queue.blas, CUBLAS_POINTER_MODE_DEVICE), "set the pointer mode");
    check_blas(routine(queue.blas), doing);
  };
  return {.call = call, .uses_blas = true};
}

// result = x . y
template <class T>
HostCall dot_call(Index n, const T* x, const T* y, T* result) {
  return blas_call("dot", [=](cublasHandle_t blas) { return dot(blas, n, x, y, result); });
}
// y = alpha x + y
template <class T>
HostCall axpy_call(Index n, const T* alpha, const T* x, T* y) {
  return blas_call("axpy", [=](cublasHandle_t blas) { return axpy(blas, n, alpha, x, y); });
}
// x = alpha x
template <class T>
HostCall scale_call(Index n, const T* alpha, T* x) {
  return blas_call("scal", [=](cublasHandle_t blas) { return scale(blas, n, alpha, x); });
}

}  // namespace cfdmark
