#include "kernels/body_force/body_force.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<BodyForceX> BodyForceX::description() {
  return {.name = "body_force_x", .flops = [](int, bool) { return 26.0; }};
}
CellDescription<BodyForceY> BodyForceY::description() {
  return {.name = "body_force_y", .flops = [](int, bool) { return 26.0; }};
}

}  // namespace cfdmark
