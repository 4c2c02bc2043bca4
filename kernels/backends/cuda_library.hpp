// What methods need that call cuBLAS: dense copies of fields, for a library knows no ghosts. Host code that
// includes the CUDA headers.
#pragma once

#include <cublas_v2.h>
#include <fmt/format.h>

#include "kernels/backends/cuda_plan.hpp"
#include "kernels/core/operator.hpp"
#include "kernels/core/source_place.hpp"

namespace cfdmark {

// Throws std::runtime_error with the library's text and where it was called; DeviceLost if the device is the
// cause.
[[noreturn]] void library_failed(const char* library, const char* doing, const char* text, SourcePlace);
inline void check_blas(cublasStatus_t status, const char* doing, SourcePlace where = SourcePlace::here()) {
  if (status != CUBLAS_STATUS_SUCCESS) library_failed("cuBLAS", doing, cublasGetStatusString(status), where);
}

// "13.0.2", from a library's cublasGetProperty or the like; empty if it does not tell.
template <class Status>
std::string library_version(Status (*property)(libraryPropertyType, int*)) {
  int version[3] = {};
  for (const libraryPropertyType part : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL})
    if (property(part, version + int(part)) != Status()) return "";
  return fmt::format("{}.{}.{}", version[0], version[1], version[2]);
}

// The cells of a field, one behind the other.
class DenseField {
 public:
  DenseField(Backend&, const Grid&, Precision storage);

  void* data() const { return buffer_.data(); }
  const Buffer& buffer() const { return buffer_; }
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
