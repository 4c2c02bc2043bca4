#include "kernels/fused_coupling/fused_coupling.hpp"

#include "kernels/backends/cell_kernel.hpp"

namespace cfdmark {
namespace {

constexpr FusedCoupling timed{{.relaxation = 0.7}};

double excess_flops(int, bool) { return 4; }
double corrected_flops(int, bool) { return 34; }

}  // namespace

CellDescription<FusedPressureEquation> FusedPressureEquation::description() {
  return {.name = "fused_pressure_equation",
          .timed = {timed},
          .flops = [](int, bool) { return 118.0; },
          .in_3d = false};
}
CellDescription<FusedMomentum> FusedMomentum::description() {
  return {.name = "fused_momentum",
          .timed = {timed, {.relaxation = 0.7}, 0.3},
          .flops = [](int, bool) { return 311.0; },
          .in_3d = false};
}
CellDescription<CorrectedFluxX> CorrectedFluxX::description() {
  return {.name = "corrected_flux_x", .timed = {timed}, .flops = corrected_flops, .in_3d = false};
}
CellDescription<CorrectedFluxY> CorrectedFluxY::description() {
  return {.name = "corrected_flux_y", .timed = {timed}, .flops = corrected_flops, .in_3d = false};
}
CellDescription<FluxExcessX> FluxExcessX::description() {
  return {.name = "flux_excess_x", .flops = excess_flops, .in_3d = false};
}
CellDescription<FluxExcessY> FluxExcessY::description() {
  return {.name = "flux_excess_y", .flops = excess_flops, .in_3d = false};
}

}  // namespace cfdmark
