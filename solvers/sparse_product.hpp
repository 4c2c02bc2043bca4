// The product of a sparse matrix and a vector by cuSPARSE.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>

#include "solvers/csr.hpp"
#include "solvers/cuda_vectors.hpp"

namespace cfdmark {

template <class T>
constexpr cudaDataType cuda_type = sizeof(T) == 8 ? CUDA_R_64F : CUDA_R_32F;

// y = A x with A in compressed rows and x and y fixed, prepared once.
template <class T>
class SparseProduct {
 public:
  SparseProduct(CudaBackend& backend, const CsrMatrix<T>& a, const DeviceVector<T>& x, const DeviceVector<T>& y,
                int algorithm)
      : row_begin_(backend, a.row_begin), column_(backend, a.column), value_(backend, a.value),
        algorithm_(algorithm == 1 ? CUSPARSE_SPMV_CSR_ALG1 : CUSPARSE_SPMV_CSR_ALG2) {
    cusparseHandle_t handle = nullptr;
    check(cusparseCreate(&handle));
    handle_.reset(handle);
    cusparseSpMatDescr_t matrix = nullptr;
    check(cusparseCreateCsr(&matrix, a.rows(), a.rows(), a.entries(), row_begin_.data(), column_.data(), value_.data(),
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, cuda_type<T>));
    matrix_.reset(matrix);
    x_ = dense(x);
    y_ = dense(y);
    std::size_t bytes = 0;
    check(cusparseSpMV_bufferSize(handle_.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, matrix_.get(), x_.get(), &zero_,
                                  y_.get(), cuda_type<T>, algorithm_, &bytes));
    workspace_ = Buffer(backend, std::max<std::size_t>(bytes, 1));
    backend.prepare(Plan{.run = {HostCall{[this](const CudaQueue& q) { call(cusparseSpMV_preprocess, q); }}}}).run();
  }
  SparseProduct(const SparseProduct&) = delete;
  SparseProduct& operator=(const SparseProduct&) = delete;

  HostCall product() { return {[this](const CudaQueue& queue) { call(cusparseSpMV, queue); }}; }

 private:
  template <class P>
  using Owner = std::unique_ptr<std::remove_pointer_t<P>, void (*)(P)>;
  using Dense = Owner<cusparseDnVecDescr_t>;

  static Dense dense(const DeviceVector<T>& v) {
    cusparseDnVecDescr_t vector = nullptr;
    check(cusparseCreateDnVec(&vector, std::int64_t(v.size()), v.data(), cuda_type<T>));
    return {vector, [](cusparseDnVecDescr_t d) { cusparseDestroyDnVec(d); }};
  }

  // cuSPARSE's scalars stay on the host: they never change.
  template <class Routine>
  void call(Routine routine, const CudaQueue& queue) {
    check(cusparseSetStream(handle_.get(), queue.stream));
    check(routine(handle_.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, matrix_.get(), x_.get(), &zero_, y_.get(),
                  cuda_type<T>, algorithm_, workspace_.data()));
  }

  const T one_ = 1, zero_ = 0;
  DeviceVector<int> row_begin_, column_;
  DeviceVector<T> value_;
  cusparseSpMVAlg_t algorithm_;
  Buffer workspace_;
  Owner<cusparseHandle_t> handle_{nullptr, [](cusparseHandle_t h) { cusparseDestroy(h); }};
  Owner<cusparseSpMatDescr_t> matrix_{nullptr, [](cusparseSpMatDescr_t m) { cusparseDestroySpMat(m); }};
  Dense x_{nullptr, nullptr}, y_{nullptr, nullptr};
};

}  // namespace cfdmark
