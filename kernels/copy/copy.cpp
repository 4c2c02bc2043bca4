#include "kernels/copy/copy.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<Copy> Copy::description() {
  return {.name = "copy", .flops = [](int, bool) { return 0.0; }};
}

}  // namespace cfdmark
