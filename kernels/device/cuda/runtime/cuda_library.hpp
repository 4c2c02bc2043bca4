// Support for methods that call cuBLAS: dense copies of fields, because libraries know no ghosts. For host
// code that includes the CUDA headers.
#pragma once

#include <cublas_v2.h>
#include <fmt/format.h>

#include "kernels/core/operator.hpp"
#include "kernels/core/source_place.hpp"
#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/device/shared_library.hpp"

namespace cfdmark {

// Throws std::runtime_error with the library's message and the call's location, or DeviceLost if the device
// is the cause.
[[noreturn]] void library_failed(const char* library, const char* doing, const char* text, SourcePlace);
inline void check_blas(cublasStatus_t status, const char* doing, SourcePlace where = SourcePlace::here()) {
  if (status != CUBLAS_STATUS_SUCCESS) library_failed("cuBLAS", doing, cublasGetStatusString(status), where);
}

// Opens a library of the CUDA toolkit, such as "cublas" version "13.1.0". The version comes from its header
// and is compared with the answer of the function named `property`. Throws LibraryMissing, or
// std::runtime_error for another version.
template <class Property>
SharedLibrary opened_library(const std::string& name, const std::string& version, const char* property) {
  const std::string file = fmt::format("lib{}.so.{}", name, version.substr(0, version.find('.')));
  SharedLibrary library = open_cuda_library(file);
  auto* const ask = library.function<Property>(property);
  int part[3] = {};
  for (const libraryPropertyType which : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL})
    ask(which, &part[which]);
  check_version(file, version, fmt::format("{}.{}.{}", part[0], part[1], part[2]));
  return library;
}

// Returns the copy of a field's cells to contiguous memory, or back.
cudaMemcpy3DParms dense_copy(const AnyView& field, void* dense, bool to_dense);

// The cells of a field stored contiguously, without ghosts.
class DenseField {
 public:
  DenseField(Backend&, const Grid&, Precision storage);

  void* data() const { return buffer_.data(); }
  const Buffer& buffer() const { return buffer_; }
  // Work items that copy the cells from or to a field.
  HostCall copy_from(const AnyView&) const;
  HostCall copy_to(const AnyView&) const;
  void fill_with_ones(Backend&) const;

 private:
  HostCall copy(AnyView there, bool in) const;

  Grid grid_;
  Precision storage_;
  Buffer buffer_;
};

}  // namespace cfdmark
