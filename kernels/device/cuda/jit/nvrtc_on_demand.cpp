// Stubs for the NVRTC functions that are called; see shared_library.hpp.
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <nvrtc.h>

#include "kernels/device/cuda/jit/nvrtc.hpp"
#include "kernels/device/shared_library.hpp"

namespace cfdmark {

std::string nvrtc_version() {  // the toolkit's version
  return fmt::format("{}.{}", CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
}

}  // namespace cfdmark

namespace {

cfdmark::SharedLibrary opened_nvrtc() {
  const std::string file = fmt::format("libnvrtc.so.{}", CUDART_VERSION / 1000);
  cfdmark::SharedLibrary library = cfdmark::open_cuda_library(file);
  int major = 0, minor = 0;
  library.function<decltype(nvrtcVersion)>("nvrtcVersion")(&major, &minor);
  cfdmark::check_version(file, cfdmark::nvrtc_version(), fmt::format("{}.{}", major, minor));
  return library;
}

const cfdmark::SharedLibrary& nvrtc() {
  static const cfdmark::SharedLibrary library = opened_nvrtc();
  return library;
}

}  // namespace

extern "C" {

const char* nvrtcGetErrorString(nvrtcResult result) {
  return CFDMARK_FUNCTION_OF(nvrtc(), nvrtcGetErrorString)(result);
}

nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  return CFDMARK_FUNCTION_OF(nvrtc(), nvrtcGetNumSupportedArchs)(count);
}

nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
  return CFDMARK_FUNCTION_OF(nvrtc(), nvrtcGetSupportedArchs)(architectures);
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int headers,
                               const char* const* texts, const char* const* names) {
  return CFDMARK_FUNCTION_OF(nvrtc(), nvrtcCreateProgram)(program, source, name, headers, texts, names);
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  return CFDMARK_FUNCTION_OF(nvrtc(), nvrtcDestroyProgram)(program);
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char* const* options) {
  return CFDMARK_FUNCTION_OF(nvrtc(), nvrtcCompileProgram)(program, count, options);
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* bytes) {
  return CFDMARK_FUNCTION_OF(nvrtc(), nvrtcGetCUBINSize)(program, bytes);
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* cubin) {
  return CFDMARK_FUNCTION_OF(nvrtc(), nvrtcGetCUBIN)(program, cubin);
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* bytes) {
  return CFDMARK_FUNCTION_OF(nvrtc(), nvrtcGetProgramLogSize)(program, bytes);
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
  return CFDMARK_FUNCTION_OF(nvrtc(), nvrtcGetProgramLog)(program, log);
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression) {
  return CFDMARK_FUNCTION_OF(nvrtc(), nvrtcAddNameExpression)(program, expression);
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** lowered) {
  return CFDMARK_FUNCTION_OF(nvrtc(), nvrtcGetLoweredName)(program, expression, lowered);
}

}  // extern "C"
