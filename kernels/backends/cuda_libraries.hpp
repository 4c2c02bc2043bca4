// From the status codes of cuBLAS and cuSPARSE to exceptions.
#pragma once

#include <cublas_v2.h>
#include <cusparse.h>
#include <fmt/format.h>

#include <source_location>
#include <stdexcept>
#include <string>

#include "kernels/backends/cuda_check.hpp"

namespace cfdmark {

// Throws std::runtime_error with what went wrong and where; DeviceLost if the device is the cause.
[[noreturn]] inline void library_failed(const char* library, const char* text, const std::source_location& where) {
  const std::string file = where.file_name();
  const std::string message = fmt::format("{}: {} ({}, line {})", library, text, file.substr(file.rfind('/') + 1), where.line());
  check_cuda(cudaDeviceSynchronize(), message.c_str());
  throw std::runtime_error(message);
}

inline void check(cublasStatus_t status, const std::source_location& where = std::source_location::current()) {
  if (status != CUBLAS_STATUS_SUCCESS) library_failed("cuBLAS", cublasGetStatusString(status), where);
}
inline void check(cusparseStatus_t status, const std::source_location& where = std::source_location::current()) {
  if (status != CUSPARSE_STATUS_SUCCESS) library_failed("cuSPARSE", cusparseGetErrorString(status), where);
}

}  // namespace cfdmark
