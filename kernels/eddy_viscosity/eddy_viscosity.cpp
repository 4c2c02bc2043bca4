#include "kernels/eddy_viscosity/eddy_viscosity.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<EddyViscosity> EddyViscosity::description() {
  return {.name = "eddy_viscosity", .flops = [](int, bool) { return 56.0; }};
}
CellDescription<EddyViscosity3d> EddyViscosity3d::description() {
  return {.name = "eddy_viscosity_3d", .flops = [](int, bool) { return 150.0; }};
}
CellDescription<EddyStress> EddyStress::description() {
  return {.name = "eddy_stress", .flops = [](int, bool) { return 76.0; }};
}
CellDescription<EddyStress3d> EddyStress3d::description() {
  return {.name = "eddy_stress_3d", .flops = [](int, bool) { return 207.0; }};
}

}  // namespace cfdmark
