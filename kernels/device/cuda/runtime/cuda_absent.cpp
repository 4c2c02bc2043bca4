// Replaces cuda.cpp in builds without a CUDA toolkit.
#include "kernels/device/cuda/runtime/convergence_loop.hpp"
#include "kernels/device/cuda/runtime/cuda.hpp"

namespace cfdmark {

int cuda_device_count() { return 0; }
std::string cuda_unavailable(int) { return "built without CUDA: CMake found no CUDA toolkit"; }
Backend& cuda_backend(int) { throw std::runtime_error(cuda_unavailable()); }
std::unique_ptr<Backend> new_cuda_backend(int) { throw std::runtime_error(cuda_unavailable()); }
std::string cuda_architecture(int) { throw std::runtime_error(cuda_unavailable()); }
std::string cublas_version() { return ""; }
CudaFacts cuda_facts(int) { throw std::runtime_error(cuda_unavailable()); }

std::function<void()> DeviceConvergenceLoop::judgement_on_cuda(bool, int, int) const {
  throw std::runtime_error(cuda_unavailable());
}

}  // namespace cfdmark
