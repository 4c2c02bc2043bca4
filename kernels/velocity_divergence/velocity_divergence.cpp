#include "kernels/velocity_divergence/velocity_divergence.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<VelocityDivergence> VelocityDivergence::description() {
  return {.name = "velocity_divergence", .timed = {{.time_step = {0.25}}}, .flops = [](int, bool) {
            return 5.0;
          }};
}
CellDescription<VelocityDivergence3d> VelocityDivergence3d::description() {
  return {.name = "velocity_divergence_3d", .timed = {{.time_step = {0.25}}}, .flops = [](int, bool) {
            return 8.0;
          }};
}

}  // namespace cfdmark
