#include "kernels/momentum_fluxes/momentum_fluxes.hpp"

#include "kernels/backends/cell_kernel.hpp"

namespace cfdmark {

CellDescription<MomentumFluxes> MomentumFluxes::description() {
  return {.name = "momentum_fluxes", .flops = [](int, bool) { return 73.0; }, .in_3d = false};
}
CellDescription<UpwindMomentumFluxes> UpwindMomentumFluxes::description() {
  return {.name = "upwind_momentum_fluxes", .flops = [](int, bool) { return 129.0; }, .in_3d = false};
}
CellDescription<CentralPrediction> CentralPrediction::description() {
  return {.name = "central_prediction",
          .timed = {{{}, 0.3, -0.1}},
          .flops = [](int, bool) { return 81.0; },
          .in_3d = false};
}
CellDescription<UpwindPrediction> UpwindPrediction::description() {
  return {.name = "upwind_prediction",
          .timed = {{{}, 0.3, -0.1}},
          .flops = [](int, bool) { return 137.0; },
          .in_3d = false};
}

}  // namespace cfdmark
