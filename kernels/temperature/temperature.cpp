#include "kernels/temperature/temperature.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<Temperature> Temperature::description() {
  return {.name = "temperature", .timed = {{.step = {0.3, -0.1}}}, .flops = [](int, bool) { return 33.0; }};
}
CellDescription<Temperature3d> Temperature3d::description() {
  return {
      .name = "temperature_3d", .timed = {{.step = {0.3, -0.1}}}, .flops = [](int, bool) { return 48.0; }};
}
CellDescription<EddyTemperature> EddyTemperature::description() {
  return {.name = "eddy_temperature", .timed = {{{.step = {0.3, -0.1}}, 1.1}}, .flops = [](int, bool) {
            return 57.0;
          }};
}
CellDescription<EddyTemperature3d> EddyTemperature3d::description() {
  return {.name = "eddy_temperature_3d", .timed = {{{.step = {0.3, -0.1}}, 1.1}}, .flops = [](int, bool) {
            return 84.0;
          }};
}
CellDescription<Buoyancy> Buoyancy::description() {
  return {.name = "buoyancy", .timed = {.factor = {0.5}}, .flops = [](int, bool) { return 5.0; }};
}

}  // namespace cfdmark
