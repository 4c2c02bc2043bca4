// Sparse matrix-vector product by cuSPARSE.
#pragma once

#include <cusparse.h>

#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

#include "kernels/device/cuda/runtime/cuda_library.hpp"
#include "solvers/linear/system/csr.hpp"

namespace cfdmark {

inline void check_sparse(cusparseStatus_t status, const char* doing,
                         SourcePlace where = SourcePlace::here()) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    library_failed("cuSPARSE", doing, cusparseGetErrorString(status), where);
}

// A contiguous array in the backend's memory.
template <class T>
class DeviceArray {
 public:
  DeviceArray(Backend& backend, std::size_t size) : buffer_(backend, size * sizeof(T)) {}
  void upload(Backend& backend, const std::vector<T>& values) const {
    backend.upload(buffer_.data(), values.data(), values.size() * sizeof(T));
  }
  T* data() const { return static_cast<T*>(buffer_.data()); }

 private:
  Buffer buffer_;
};

// y = A x with a CSR matrix and fixed x and y, prepared once.
template <class T>
class SparseProduct {
 public:
  // Allocates memory for a matrix over a grid. x and y have one value per matrix row and must outlive this
  // object.
  SparseProduct(CudaBackend& backend, const Grid& g, T* x, T* y, cusparseSpMVAlg_t algorithm)
      : backend_(backend),
        algorithm_(algorithm),
        row_begin_(backend, std::size_t(g.cells()) + 1),
        column_(backend, csr_entries(g)),
        value_(backend, csr_entries(g)),
        read_(x),
        written_(y) {}
  // Sets the matrix, which must be over the same grid, and lets cuSPARSE preprocess its product. Must be
  // called once before the product runs.
  void set(const CsrMatrix<T>& a) {
    row_begin_.upload(backend_, a.row_begin);
    column_.upload(backend_, a.column);
    value_.upload(backend_, a.value);
    handle_ = new_handle();
    matrix_ = new_matrix(a);
    x_ = new_vector(a.rows(), read_), y_ = new_vector(a.rows(), written_);
    std::size_t bytes = 0;
    check_sparse(cusparseSpMV_bufferSize(handle_.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one_,
                                         matrix_.get(), x_.get(), &zero_, y_.get(), type, algorithm_, &bytes),
                 "query the workspace");
    workspace_ = Buffer(backend_, std::max<std::size_t>(bytes, 1));
    backend_.prepare(Plan{.run = {call("prepare the product", cusparseSpMV_preprocess)}}).run();
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

  // Returns a call of cusparseSpMV, or of its preprocessing with the same arguments. The scalars are constant
  // and stay on the host.
  template <class Routine>
  HostCall call(const char* doing, Routine routine) const {
    return {[this, doing, routine](const CudaQueue& queue) {
      check_sparse(cusparseSetStream(handle_.get(), queue.stream), "set the stream");
      check_sparse(routine(handle_.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, matrix_.get(), x_.get(),
                           &zero_, y_.get(), type, algorithm_, workspace_.data()),
                   doing);
    }};
  }

  const T one_ = 1, zero_ = 0;
  CudaBackend& backend_;
  cusparseSpMVAlg_t algorithm_;
  DeviceArray<int> row_begin_, column_;
  DeviceArray<T> value_;
  T *read_, *written_;
  Buffer workspace_;
  Handle handle_{nullptr, nullptr};
  Matrix matrix_{nullptr, nullptr};
  Vector x_{nullptr, nullptr}, y_{nullptr, nullptr};
};

}  // namespace cfdmark
