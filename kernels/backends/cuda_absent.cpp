// Replaces cuda.cpp in builds without a CUDA toolkit.
#include "kernels/backends/cuda.hpp"
#include "kernels/backends/judged_loop.hpp"

namespace cfdmark {

int cuda_device_count() { return 0; }
std::string cuda_unavailable(int) { return "built without CUDA: CMake found no CUDA toolkit"; }
Backend& cuda_backend(int) { throw std::runtime_error(cuda_unavailable()); }
std::string cuda_architecture(int) { throw std::runtime_error(cuda_unavailable()); }
std::string cublas_version() { return ""; }
CudaFacts cuda_facts(int) { throw std::runtime_error(cuda_unavailable()); }

std::function<void()> JudgedLoop::judgement_on_cuda(bool, int, int) const {
  throw std::runtime_error(cuda_unavailable());
}

}  // namespace cfdmark
