#include "kernels/axpy/axpy.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

Methods<CellArgs<Axpy>> axpy_openblas(), axpy_cuda();

CellDescription<Axpy> Axpy::description() {
  return {.name = "axpy",
          .timed = {.alpha = {0.4}, .beta = {1}},
          .flops = [](int, bool) { return 2.0; },
          .more = [](BackendKind kind) -> Methods<CellArgs<Axpy>> {
            if constexpr (built_with_openblas)
              if (kind == BackendKind::openmp) return axpy_openblas();
            if constexpr (built_with_cuda)
              if (kind == BackendKind::cuda) return axpy_cuda();
            return {};
          }};
}

}  // namespace cfdmark
