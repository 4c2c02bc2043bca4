#include "face_gradient/face_gradient.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<FaceGradient> FaceGradient::description() {
  return {.name = "face_gradient", .flops = [](int, bool) { return 5.0; }};
}

}  // namespace cfdmark
