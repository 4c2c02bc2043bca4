// Stubs for the cuBLAS functions that are called; see shared_library.hpp.
#include <cublas_v2.h>

#include "kernels/device/cuda/runtime/cuda.hpp"
#include "kernels/device/cuda/runtime/cuda_library.hpp"

namespace cfdmark {

std::string cublas_version() {
  return fmt::format("{}.{}.{}", CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH);
}

}  // namespace cfdmark

namespace {

const cfdmark::SharedLibrary& cublas() {
  static const auto library = cfdmark::opened_library<decltype(cublasGetProperty)>(
      "cublas", cfdmark::cublas_version(), "cublasGetProperty");
  return library;
}

}  // namespace

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  return CFDMARK_FUNCTION_OF(cublas(), cublasCreate_v2)(handle);
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  return CFDMARK_FUNCTION_OF(cublas(), cublasDestroy_v2)(handle);
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  return CFDMARK_FUNCTION_OF(cublas(), cublasSetStream_v2)(handle, stream);
}

cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  return CFDMARK_FUNCTION_OF(cublas(), cublasSetPointerMode_v2)(handle, mode);
}

const char* cublasGetStatusString(cublasStatus_t status) {
  return CFDMARK_FUNCTION_OF(cublas(), cublasGetStatusString)(status);
}

cublasStatus_t cublasSdot_64(cublasHandle_t handle, int64_t n, const float* x, int64_t incx, const float* y,
                             int64_t incy, float* result) {
  return CFDMARK_FUNCTION_OF(cublas(), cublasSdot_64)(handle, n, x, incx, y, incy, result);
}

cublasStatus_t cublasDdot_64(cublasHandle_t handle, int64_t n, const double* x, int64_t incx, const double* y,
                             int64_t incy, double* result) {
  return CFDMARK_FUNCTION_OF(cublas(), cublasDdot_64)(handle, n, x, incx, y, incy, result);
}

cublasStatus_t cublasSaxpy_64(cublasHandle_t handle, int64_t n, const float* alpha, const float* x,
                              int64_t incx, float* y, int64_t incy) {
  return CFDMARK_FUNCTION_OF(cublas(), cublasSaxpy_64)(handle, n, alpha, x, incx, y, incy);
}

cublasStatus_t cublasDaxpy_64(cublasHandle_t handle, int64_t n, const double* alpha, const double* x,
                              int64_t incx, double* y, int64_t incy) {
  return CFDMARK_FUNCTION_OF(cublas(), cublasDaxpy_64)(handle, n, alpha, x, incx, y, incy);
}

cublasStatus_t cublasSscal_64(cublasHandle_t handle, int64_t n, const float* alpha, float* x, int64_t incx) {
  return CFDMARK_FUNCTION_OF(cublas(), cublasSscal_64)(handle, n, alpha, x, incx);
}

cublasStatus_t cublasDscal_64(cublasHandle_t handle, int64_t n, const double* alpha, double* x,
                              int64_t incx) {
  return CFDMARK_FUNCTION_OF(cublas(), cublasDscal_64)(handle, n, alpha, x, incx);
}

}  // extern "C"
