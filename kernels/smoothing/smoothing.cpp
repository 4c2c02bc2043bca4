#include "kernels/smoothing/smoothing.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

Methods<CellArgs<Smoothing>> smoothing_cuda();

CellDescription<Smoothing> Smoothing::description() {
  return {.name = "smoothing",
          .timed = {.s = 0.3},
          .flops = [](int, bool) { return 9.0; },
          .column_cells = 2,
          .more = [](BackendKind kind) -> Methods<CellArgs<Smoothing>> {
            if constexpr (built_with_cuda)
              if (kind == BackendKind::cuda) return smoothing_cuda();
            return {};
          }};
}

}  // namespace cfdmark
