#include "nine_point/nine_point.hpp"

#include "kernels/backends/cell_kernel.hpp"

namespace cfdmark {

CellDescription<NinePoint> NinePoint::description() {
  return {.name = "nine_point", .flops = [](int, bool) { return 11.0; }, .in_3d = false};
}

}  // namespace cfdmark
