#include "kernels/jacobi/jacobi.hpp"

#include "kernels/backends/cell_kernel.hpp"

namespace cfdmark {

Methods<CellArgs<Jacobi>> jacobi_serial();

CellDescription<Jacobi> Jacobi::description() {
  return {.name = "jacobi",
          .flops = [](int dims, bool constant) { return stencil_flops(dims, constant) + 1; },
          .more =
              [](BackendKind kind) {
                return kind == BackendKind::serial ? jacobi_serial() : Methods<CellArgs<Jacobi>>{};
              }};
}

}  // namespace cfdmark
