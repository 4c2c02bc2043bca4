#include "kernels/momentum_fluxes/momentum_fluxes.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<MomentumFluxes> MomentumFluxes::description() {
  return {.name = "momentum_fluxes", .flops = [](int, bool) { return 73.0; }};
}
CellDescription<UpwindMomentumFluxes> UpwindMomentumFluxes::description() {
  return {.name = "upwind_momentum_fluxes", .flops = [](int, bool) { return 129.0; }};
}
CellDescription<CentralPrediction> CentralPrediction::description() {
  return {
      .name = "central_prediction", .timed = {{{}, {0.3, -0.1}}}, .flops = [](int, bool) { return 81.0; }};
}
CellDescription<UpwindPrediction> UpwindPrediction::description() {
  return {
      .name = "upwind_prediction", .timed = {{{}, {0.3, -0.1}}}, .flops = [](int, bool) { return 137.0; }};
}
CellDescription<MomentumFluxes3d> MomentumFluxes3d::description() {
  return {.name = "momentum_fluxes_3d", .flops = [](int, bool) { return 178.0; }};
}
CellDescription<UpwindMomentumFluxes3d> UpwindMomentumFluxes3d::description() {
  return {.name = "upwind_momentum_fluxes_3d", .flops = [](int, bool) { return 304.0; }};
}
CellDescription<CentralPrediction3d> CentralPrediction3d::description() {
  return {.name = "central_prediction_3d", .timed = {{{}, {0.3, -0.1}}}, .flops = [](int, bool) {
            return 190.0;
          }};
}
CellDescription<UpwindPrediction3d> UpwindPrediction3d::description() {
  return {
      .name = "upwind_prediction_3d", .timed = {{{}, {0.3, -0.1}}}, .flops = [](int, bool) { return 316.0; }};
}

}  // namespace cfdmark
