#include "kernels/pressure_correction/pressure_correction.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<PressureEquation> PressureEquation::description() {
  return {.name = "pressure_equation", .flops = [](int, bool) { return 23.0; }};
}
CellDescription<FluxCorrectionX> FluxCorrectionX::description() {
  return {.name = "flux_correction_x", .flops = [](int, bool) { return 8.0; }};
}
CellDescription<FluxCorrectionY> FluxCorrectionY::description() {
  return {.name = "flux_correction_y", .flops = [](int, bool) { return 8.0; }};
}
CellDescription<CellCorrection> CellCorrection::description() {
  return {.name = "cell_correction", .timed = {.relaxation = 0.3}, .flops = [](int, bool) { return 19.0; }};
}

}  // namespace cfdmark
