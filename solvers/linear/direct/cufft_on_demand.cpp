// The cuFFT functions in use, loaded on first call (kernels/device/shared_library.hpp).
#include <cufft.h>

#include "kernels/device/cuda/runtime/cuda_library.hpp"
#include "solvers/linear/direct/direct.hpp"

namespace cfdmark {

std::string cufft_library_version() {
  return fmt::format("{}.{}.{}", CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH);
}

}  // namespace cfdmark

namespace {

const cfdmark::SharedLibrary& cufft() {
  static const auto library = cfdmark::opened_library<decltype(cufftGetProperty)>(
      "cufft", cfdmark::cufft_library_version(), "cufftGetProperty");
  return library;
}

}  // namespace

extern "C" {

cufftResult cufftCreate(cufftHandle* plan) { return CFDMARK_FUNCTION_OF(cufft(), cufftCreate)(plan); }

cufftResult cufftDestroy(cufftHandle plan) { return CFDMARK_FUNCTION_OF(cufft(), cufftDestroy)(plan); }

cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* in_embed,
                                long long in_stride, long long in_distance, long long* out_embed,
                                long long out_stride, long long out_distance, cufftType type, long long batch,
                                size_t* bytes) {
  return CFDMARK_FUNCTION_OF(cufft(), cufftMakePlanMany64)(plan, rank, n, in_embed, in_stride, in_distance,
                                                           out_embed, out_stride, out_distance, type, batch,
                                                           bytes);
}

cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  return CFDMARK_FUNCTION_OF(cufft(), cufftSetStream)(plan, stream);
}

cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out) {
  return CFDMARK_FUNCTION_OF(cufft(), cufftExecR2C)(plan, in, out);
}

cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out) {
  return CFDMARK_FUNCTION_OF(cufft(), cufftExecD2Z)(plan, in, out);
}

}  // extern "C"
