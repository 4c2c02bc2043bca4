#include "kernels/jacobi/jacobi_methods.hpp"

namespace cfdmark {

CellDescription<Jacobi> Jacobi::description() {
  return {.name = "jacobi",
          .flops = [](int dims, bool constant) { return stencil_flops(dims, constant) + 1; },
          .more = [](BackendKind kind) -> Methods<CellArgs<Jacobi>> {
            if (kind == BackendKind::serial) return jacobi_serial();
            if (kind == BackendKind::openmp) return jacobi_openmp();
            if constexpr (built_with_cuda)
              if (kind == BackendKind::cuda) return jacobi_cuda();
            return {};
          }};
}

CellDescription<JacobiLaplace> JacobiLaplace::description() {
  return {.name = "jacobi_laplace",
          .flops = [](int dims, bool constant) { return stencil_flops(dims, constant) + 1; },
          .more = [](BackendKind kind) -> Methods<CellArgs<JacobiLaplace>> {
            if constexpr (built_with_cuda)
              if (kind == BackendKind::cuda) return jacobi_laplace_cuda();
            return {};
          }};
}

}  // namespace cfdmark
