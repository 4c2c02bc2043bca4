#include "kernels/velocity_correction/velocity_correction.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<VelocityCorrection> VelocityCorrection::description() {
  return {.name = "velocity_correction", .timed = {{.time_step = {0.25}}}, .flops = [](int, bool) {
            return 6.0;
          }};
}
CellDescription<VelocityCorrection3d> VelocityCorrection3d::description() {
  return {.name = "velocity_correction_3d", .timed = {{.time_step = {0.25}}}, .flops = [](int, bool) {
            return 9.0;
          }};
}

}  // namespace cfdmark
