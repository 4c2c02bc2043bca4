// Stands in for cuda.cpp where no CUDA toolkit was found.
#include "kernels/backends/cuda.hpp"

namespace cfdmark {

std::string cuda_unavailable() { return "built without CUDA: CMake found no CUDA toolkit"; }
Backend& cuda_backend() { throw std::runtime_error(cuda_unavailable()); }
CudaFacts cuda_facts() { throw std::runtime_error(cuda_unavailable()); }

}  // namespace cfdmark
