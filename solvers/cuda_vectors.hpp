// Vectors in the device's memory for cuBLAS and cuSPARSE.
#pragma once

#include <vector>

#include "kernels/backends/cuda_libraries.hpp"
#include "kernels/backends/cuda_plan.hpp"
#include "kernels/core/grid.hpp"

namespace cfdmark {

// An array in the device's memory.
template <class T>
class DeviceVector {
 public:
  DeviceVector(Backend& backend, std::size_t size) : size_(size), buffer_(backend, size * sizeof(T)) {}
  DeviceVector(Backend& backend, const std::vector<T>& values) : DeviceVector(backend, values.size()) {
    backend.upload(data(), values.data(), size_ * sizeof(T));
  }
  T* data() const { return static_cast<T*>(buffer_.data()); }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  Buffer buffer_;
};

// The interior of a grid as a vector: a view without ghosts and padding.
template <class T>
View<T> dense_view(T* vector, const Grid& g) {
  View<T> view(vector, g);
  view.pitch = g.nx;
  view.plane = g.is_3d() ? Index(g.nx) * g.ny : 0;
  return view;
}

// The interior cells, between views of different pitch.
template <class T>
void copy_cells(View<T> from, View<T> to, cudaStream_t stream) {
  auto pitched = [](const View<T>& v) {
    const Index rows = v.plane ? v.plane / v.pitch : v.ny;
    return cudaPitchedPtr{v.origin, std::size_t(v.pitch) * sizeof(T), std::size_t(v.nx), std::size_t(rows)};
  };
  cudaMemcpy3DParms copy{};
  copy.srcPtr = pitched(from);
  copy.dstPtr = pitched(to);
  copy.extent = {std::size_t(from.nx) * sizeof(T), std::size_t(from.ny), std::size_t(from.nz)};
  copy.kind = cudaMemcpyDeviceToDevice;
  check_cuda(cudaMemcpy3DAsync(&copy, stream), "copy between a field and a vector");
}

// cuBLAS by the type of its arguments. Scalars are in the device's memory.
inline void dot(cublasHandle_t blas, int n, const float* x, const float* y, float* result) {
  check(cublasSdot(blas, n, x, 1, y, 1, result));
}
inline void dot(cublasHandle_t blas, int n, const double* x, const double* y, double* result) {
  check(cublasDdot(blas, n, x, 1, y, 1, result));
}
inline void axpy(cublasHandle_t blas, int n, const float* alpha, const float* x, float* y) {
  check(cublasSaxpy(blas, n, alpha, x, 1, y, 1));
}
inline void axpy(cublasHandle_t blas, int n, const double* alpha, const double* x, double* y) {
  check(cublasDaxpy(blas, n, alpha, x, 1, y, 1));
}
inline void scale(cublasHandle_t blas, int n, const float* alpha, float* x) { check(cublasSscal(blas, n, alpha, x, 1)); }
inline void scale(cublasHandle_t blas, int n, const double* alpha, double* x) { check(cublasDscal(blas, n, alpha, x, 1)); }

// While it lives, cuBLAS takes its scalars from the device's memory. The handle is shared: others find it as it was.
class ScalarsOnDevice {
 public:
  explicit ScalarsOnDevice(cublasHandle_t blas) : blas_(blas) {
    check(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
  }
  ~ScalarsOnDevice() { cublasSetPointerMode(blas_, CUBLAS_POINTER_MODE_HOST); }
  ScalarsOnDevice(const ScalarsOnDevice&) = delete;
  ScalarsOnDevice& operator=(const ScalarsOnDevice&) = delete;

 private:
  cublasHandle_t blas_;
};

template <class F>
HostCall blas_call(F f) {
  return {[f](const CudaQueue& queue) {
    const ScalarsOnDevice scalars(queue.blas);
    f(queue.blas);
  }};
}

}  // namespace cfdmark
