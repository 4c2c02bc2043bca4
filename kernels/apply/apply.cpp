#include "kernels/apply/apply.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<Apply> Apply::description() {
  return {.name = "apply",
          .flops = [](int dims, bool constant) { return stencil_flops(dims, constant) + 2; }};
}

}  // namespace cfdmark
