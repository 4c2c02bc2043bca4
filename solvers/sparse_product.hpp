// The product of a sparse matrix and a vector by cuSPARSE.
#pragma once

#include <cusparse.h>

#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

#include "kernels/backends/cuda_library.hpp"
#include "solvers/csr.hpp"

namespace cfdmark {

inline void check_sparse(cusparseStatus_t status, const char* doing,
                         SourcePlace where = SourcePlace::here()) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    library_failed("cuSPARSE", doing, cusparseGetErrorString(status), where);
}

// A copy of host values in the backend's memory.
template <class T>
class DeviceArray {
 public:
  DeviceArray(Backend& backend, const std::vector<T>& values) : buffer_(backend, values.size() * sizeof(T)) {
    backend.upload(buffer_.data(), values.data(), values.size() * sizeof(T));
  }
  T* data() const { return static_cast<T*>(buffer_.data()); }

 private:
  Buffer buffer_;
};

// y = A x with A in compressed rows and x and y fixed, prepared once.
template <class T>
class SparseProduct {
 public:
  // x and y have as many values as the matrix has rows, and outlive this. `algorithm`: see
  // cusparse_cg_solver().
  SparseProduct(CudaBackend& backend, const CsrMatrix<T>& a, T* x, T* y, int algorithm)
      : row_begin_(backend, a.row_begin),
        column_(backend, a.column),
        value_(backend, a.value),
        algorithm_(algorithm == 1 ? CUSPARSE_SPMV_CSR_ALG1 : CUSPARSE_SPMV_CSR_ALG2),
        handle_(new_handle()),
        matrix_(new_matrix(a)),
        x_(new_vector(a.rows(), x)),
        y_(new_vector(a.rows(), y)) {
    std::size_t bytes = 0;
    check_sparse(cusparseSpMV_bufferSize(handle_.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one_,
                                         matrix_.get(), x_.get(), &zero_, y_.get(), type, algorithm_, &bytes),
                 "ask for the workspace");
    workspace_ = Buffer(backend, std::max<std::size_t>(bytes, 1));
    backend.prepare(Plan{.run = {call("prepare the product", cusparseSpMV_preprocess)}}).run();
  }
  SparseProduct(const SparseProduct&) = delete;
  SparseProduct& operator=(const SparseProduct&) = delete;

  HostCall product() const { return call("multiply", cusparseSpMV); }

 private:
  static constexpr cudaDataType type = sizeof(T) == 8 ? CUDA_R_64F : CUDA_R_32F;
  template <class Pointer>
  using Owner = std::unique_ptr<std::remove_pointer_t<Pointer>, void (*)(Pointer)>;
  using Handle = Owner<cusparseHandle_t>;
  using Matrix = Owner<cusparseSpMatDescr_t>;
  using Vector = Owner<cusparseDnVecDescr_t>;

  static Handle new_handle() {
    cusparseHandle_t handle = nullptr;
    check_sparse(cusparseCreate(&handle), "start");
    return {handle, [](cusparseHandle_t h) { cusparseDestroy(h); }};
  }
  Matrix new_matrix(const CsrMatrix<T>& a) const {
    cusparseSpMatDescr_t matrix = nullptr;
    check_sparse(cusparseCreateCsr(&matrix, a.rows(), a.rows(), a.entries(), row_begin_.data(),
                                   column_.data(), value_.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                   CUSPARSE_INDEX_BASE_ZERO, type),
                 "describe the matrix");
    return {matrix, [](cusparseSpMatDescr_t m) { cusparseDestroySpMat(m); }};
  }
  static Vector new_vector(int size, T* first) {
    cusparseDnVecDescr_t vector = nullptr;
    check_sparse(cusparseCreateDnVec(&vector, size, first, type), "describe a vector");
    return {vector, [](cusparseDnVecDescr_t v) { cusparseDestroyDnVec(v); }};
  }

  // cusparseSpMV, or the routine that prepares it, which takes the same. The scalars never change and stay on
  // the host.
  template <class Routine>
  HostCall call(const char* doing, Routine routine) const {
    return {[this, doing, routine](const CudaQueue& queue) {
      check_sparse(cusparseSetStream(handle_.get(), queue.stream), "choose the stream");
      check_sparse(routine(handle_.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, matrix_.get(), x_.get(),
                           &zero_, y_.get(), type, algorithm_, workspace_.data()),
                   doing);
    }};
  }

  const T one_ = 1, zero_ = 0;
  DeviceArray<int> row_begin_, column_;
  DeviceArray<T> value_;
  cusparseSpMVAlg_t algorithm_;
  Buffer workspace_;
  Handle handle_;
  Matrix matrix_;
  Vector x_, y_;
};

}  // namespace cfdmark
