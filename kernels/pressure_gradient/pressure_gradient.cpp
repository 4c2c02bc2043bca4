#include "kernels/pressure_gradient/pressure_gradient.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<PressureGradient> PressureGradient::description() {
  return {.name = "pressure_gradient", .flops = [](int, bool) { return 12.0; }};
}

}  // namespace cfdmark
