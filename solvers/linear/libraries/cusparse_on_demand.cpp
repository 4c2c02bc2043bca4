// The cuSPARSE functions in use, loaded on first call (kernels/device/shared_library.hpp).
#include <cusparse.h>

#include "kernels/device/cuda/runtime/cuda_library.hpp"
#include "solvers/linear/krylov/cg.hpp"

namespace cfdmark {

std::string cusparse_version() {
  return fmt::format("{}.{}.{}", CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH);
}

}  // namespace cfdmark

namespace {

const cfdmark::SharedLibrary& cusparse() {
  static const auto library = cfdmark::opened_library<decltype(cusparseGetProperty)>(
      "cusparse", cfdmark::cusparse_version(), "cusparseGetProperty");
  return library;
}

}  // namespace

extern "C" {

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  return CFDMARK_FUNCTION_OF(cusparse(), cusparseCreate)(handle);
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  return CFDMARK_FUNCTION_OF(cusparse(), cusparseDestroy)(handle);
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  return CFDMARK_FUNCTION_OF(cusparse(), cusparseSetStream)(handle, stream);
}

const char* cusparseGetErrorString(cusparseStatus_t status) {
  return CFDMARK_FUNCTION_OF(cusparse(), cusparseGetErrorString)(status);
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, int64_t size, void* values,
                                     cudaDataType type) {
  return CFDMARK_FUNCTION_OF(cusparse(), cusparseCreateDnVec)(vector, size, values, type);
}

cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
  return CFDMARK_FUNCTION_OF(cusparse(), cusparseDestroyDnVec)(vector);
}

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                   int64_t entries, void* row_offsets, void* column_indices, void* values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type) {
  return CFDMARK_FUNCTION_OF(cusparse(), cusparseCreateCsr)(matrix, rows, columns, entries, row_offsets,
                                                            column_indices, values, offset_type, index_type,
                                                            base, type);
}

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
  return CFDMARK_FUNCTION_OF(cusparse(), cusparseDestroySpMat)(matrix);
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t operation, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                              cusparseDnVecDescr_t y, cudaDataType type, cusparseSpMVAlg_t algorithm,
                              void* workspace) {
  return CFDMARK_FUNCTION_OF(cusparse(), cusparseSpMV)(handle, operation, alpha, a, x, beta, y, type,
                                                       algorithm, workspace);
}

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation,
                                         const void* alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void* beta,
                                         cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t algorithm, size_t* bytes) {
  return CFDMARK_FUNCTION_OF(cusparse(), cusparseSpMV_bufferSize)(handle, operation, alpha, a, x, beta, y,
                                                                  type, algorithm, bytes);
}

cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t operation,
                                         const void* alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void* beta,
                                         cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t algorithm, void* workspace) {
  return CFDMARK_FUNCTION_OF(cusparse(), cusparseSpMV_preprocess)(handle, operation, alpha, a, x, beta, y,
                                                                  type, algorithm, workspace);
}

}  // extern "C"
