#include "kernels/residual/residual.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<Residual> Residual::description() {
  return {.name = "residual",
          .flops = [](int dims, bool constant) { return stencil_flops(dims, constant) + 2; }};
}
CellDescription<ResidualSquare> ResidualSquare::description() {
  return {.name = "residual_square",
          .flops = [](int dims, bool constant) { return stencil_flops(dims, constant) + 4; }};
}

}  // namespace cfdmark
