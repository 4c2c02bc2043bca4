// Sparse matrix-vector product by cuSPARSE.
#pragma once

#include <cusparse.h>

#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

#include "kernels/device/cuda/runtime/cuda_library.hpp"
#include "solvers/linear/system/system_csr.hpp"

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
  DeviceArray() = default;
  DeviceArray(Backend& backend, std::size_t size) : buffer_(backend, size * sizeof(T)) {}
  void upload(Backend& backend, const std::vector<T>& values) const {
    backend.upload(buffer_.data(), values.data(), values.size() * sizeof(T));
  }
  T* data() const { return static_cast<T*>(buffer_.data()); }

 private:
  Buffer buffer_;
};

// y = A x with the matrix of a system and fixed x and y, prepared once. A CsrOperator's arrays are used where
// they are; the matrix of a stencil is assembled.
template <class T>
class SparseProduct {
 public:
  // Allocates memory for the matrix of a stencil. x and y have one value per matrix row. They and the
  // system's operator must outlive this object.
  SparseProduct(CudaBackend& backend, const System& system, T* x, T* y, cusparseSpMVAlg_t algorithm)
      : backend_(backend), algorithm_(algorithm), rows_(system.grid().cells()), read_(x), written_(y) {
    if (const CsrOperator* const stored = system.a->as_matrix()) {
      entries_ = stored->entries();
      row_begin_ = stored->row_begin(), column_ = stored->column();
      value_ = static_cast<const T*>(stored->values());
      return;
    }
    entries_ = csr_entries(system.grid());
    own_row_begin_ = DeviceArray<int>(backend, std::size_t(rows_) + 1);
    own_column_ = DeviceArray<int>(backend, entries_);
    own_value_ = DeviceArray<T>(backend, entries_);
    row_begin_ = own_row_begin_.data(), column_ = own_column_.data(), value_ = own_value_.data();
  }
  // Takes the present values of the same system.
  void update(const System& system) {
    if (!own_value_.data()) return;
    const CsrMatrix<T> a = matrix_of<T>(system);
    own_row_begin_.upload(backend_, a.row_begin);
    own_column_.upload(backend_, a.column);
    own_value_.upload(backend_, a.value);
  }
  // Takes the values and lets cuSPARSE preprocess the product. Must be called once before the product runs.
  void set_up(const System& system) {
    update(system);
    handle_ = new_handle();
    matrix_ = new_matrix();
    x_ = new_vector(rows_, read_), y_ = new_vector(rows_, written_);
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
  Index entries() const { return entries_; }

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
  // cuSPARSE takes pointers to mutable arrays, which its products only read.
  Matrix new_matrix() const {
    cusparseSpMatDescr_t matrix = nullptr;
    check_sparse(cusparseCreateCsr(&matrix, rows_, rows_, entries_, const_cast<int*>(row_begin_),
                                   const_cast<int*>(column_), const_cast<T*>(value_), CUSPARSE_INDEX_32I,
                                   CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type),
                 "describe the matrix");
    return {matrix, [](cusparseSpMatDescr_t m) { cusparseDestroySpMat(m); }};
  }
  static Vector new_vector(Index size, T* first) {
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
  Index rows_, entries_ = 0;
  DeviceArray<int> own_row_begin_, own_column_;  // empty for a CsrOperator
  DeviceArray<T> own_value_;
  const int *row_begin_ = nullptr, *column_ = nullptr;
  const T* value_ = nullptr;
  T *read_, *written_;
  Buffer workspace_;
  Handle handle_{nullptr, nullptr};
  Matrix matrix_{nullptr, nullptr};
  Vector x_{nullptr, nullptr}, y_{nullptr, nullptr};
};

}  // namespace cfdmark
