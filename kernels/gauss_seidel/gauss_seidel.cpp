#include "kernels/gauss_seidel/gauss_seidel.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<GaussSeidel> GaussSeidel::description() {
  return {.name = "gauss_seidel",
          .flops = [](int dims, bool constant) { return stencil_flops(dims, constant) + 1 + 3; }};
}

}  // namespace cfdmark
