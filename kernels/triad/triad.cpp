#include "kernels/triad/triad.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<Triad> Triad::description() {
  return {.name = "triad", .timed = {.s = 0.4}, .flops = [](int, bool) { return 2.0; }};
}

}  // namespace cfdmark
