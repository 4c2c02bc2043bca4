#include "kernels/momentum/momentum.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<Momentum> Momentum::description() {
  return {.name = "momentum", .timed = {.relaxation = 0.7}, .flops = [](int, bool) { return 72.0; }};
}

}  // namespace cfdmark
