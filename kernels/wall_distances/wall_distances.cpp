#include "kernels/wall_distances/wall_distances.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<WallMomentum> WallMomentum::description() {
  return {.name = "wall_momentum", .timed = {{.relaxation = 0.7}}, .flops = [](int, bool) { return 98.0; }};
}
CellDescription<WallForceX> WallForceX::description() {
  return {.name = "wall_force_x", .flops = [](int, bool) { return 42.0; }};
}
CellDescription<WallForceY> WallForceY::description() {
  return {.name = "wall_force_y", .flops = [](int, bool) { return 42.0; }};
}

}  // namespace cfdmark
