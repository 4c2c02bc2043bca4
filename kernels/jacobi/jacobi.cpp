#include "kernels/jacobi/jacobi.hpp"

#include "kernels/backends/cell_kernel.hpp"

namespace cfdmark {

Methods<CellArgs<Jacobi>> jacobi_serial();
Methods<CellArgs<Jacobi>> jacobi_openmp();

CellDescription<Jacobi> Jacobi::description() {
  return {.name = "jacobi",
          .flops = [](int dims, bool constant) { return stencil_flops(dims, constant) + 1; },
          .more = [](BackendKind kind) -> Methods<CellArgs<Jacobi>> {
            if (kind == BackendKind::serial) return jacobi_serial();
            if (kind == BackendKind::openmp) return jacobi_openmp();
            return {};
          }};
}

}  // namespace cfdmark
