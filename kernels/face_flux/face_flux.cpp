#include "kernels/face_flux/face_flux.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {
namespace {

double flops(int, bool) { return 24; }

}  // namespace

CellDescription<FaceFluxX> FaceFluxX::description() {
  return {.name = "face_flux_x", .timed = {{.relaxation = 0.7}}, .flops = flops};
}
CellDescription<FaceFluxY> FaceFluxY::description() {
  return {.name = "face_flux_y", .timed = {{.relaxation = 0.7}}, .flops = flops};
}

CellDescription<FluxIncrementX> FluxIncrementX::description() {
  return {.name = "flux_increment_x", .flops = [](int, bool) { return 4.0; }};
}
CellDescription<FluxIncrementY> FluxIncrementY::description() {
  return {.name = "flux_increment_y", .flops = [](int, bool) { return 4.0; }};
}

}  // namespace cfdmark
