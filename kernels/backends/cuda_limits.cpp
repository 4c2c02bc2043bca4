#include "kernels/backends/cuda_limits.hpp"

#include "kernels/backends/cuda.hpp"
#include "kernels/backends/cuda_offline.hpp"

namespace cfdmark {

const CudaLimits& cuda_limits() {
  static const CudaLimits limits =
      cuda_unavailable().empty()
          ? CudaLimits{cuda_facts().multiprocessors, most_shared_bytes(cuda_architecture())}
          : CudaLimits{};
  return limits;
}

}  // namespace cfdmark
