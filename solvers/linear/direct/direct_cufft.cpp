// Real-to-complex transforms by cuFFT, which has no sine or cosine transforms.
#include <cufft.h>

#include "kernels/device/cuda/runtime/cuda_library.hpp"
#include "solvers/linear/direct/direct_cuda.hpp"

namespace cfdmark {
namespace {

void check_fft(cufftResult result, const char* doing, SourcePlace where = SourcePlace::here()) {
  if (result == CUFFT_SUCCESS) return;
  library_failed("cuFFT", doing, fmt::format("cufftResult {}", int(result)).c_str(), where);
}

// A cuFFT plan of one axis, with cuFFT's own workspace.
class LinePlan {
 public:
  explicit LinePlan(const LineTransform& t) : transform_(t) {
    const GridLines& l = t.lines;
    long long period = l.period, coefficients = l.coefficients();
    std::size_t bytes = 0;
    check_fft(cufftCreate(&handle_), "start");
    check_fft(cufftMakePlanMany64(handle_, 1, &period, &period, l.stride(), l.distance(l.period),
                                  &coefficients, l.stride(), l.distance(l.coefficients()),
                                  t.storage == Precision::fp32 ? CUFFT_R2C : CUFFT_D2Z, l.lines, &bytes),
              "plan a transform");
  }
  ~LinePlan() { cufftDestroy(handle_); }
  LinePlan(const LinePlan&) = delete;
  LinePlan& operator=(const LinePlan&) = delete;

  void operator()(CUstream_st* stream) const {
    check_fft(cufftSetStream(handle_, stream), "set the stream");
    check_fft(transform_.storage == Precision::fp32
                  ? cufftExecR2C(handle_, static_cast<cufftReal*>(transform_.values),
                                 static_cast<cufftComplex*>(transform_.coefficients))
                  : cufftExecD2Z(handle_, static_cast<cufftDoubleReal*>(transform_.values),
                                 static_cast<cufftDoubleComplex*>(transform_.coefficients)),
              "transform");
  }

 private:
  LineTransform transform_;
  cufftHandle handle_ = 0;
};

HostCall line_transform(const LineTransform& transform) {
  return {[plan = std::make_shared<const LinePlan>(transform)](const CudaQueue& queue) {
    (*plan)(queue.stream);
  }};
}

}  // namespace

std::vector<DirectLibrary> cufft_library(BackendKind kind) {
  if (kind != BackendKind::cuda) return {};
  return {{"cufft", {}, direct_by_lines(line_transform)}};
}

}  // namespace cfdmark
