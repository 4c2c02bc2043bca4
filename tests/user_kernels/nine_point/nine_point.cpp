#include "nine_point/nine_point.hpp"

#include "kernels/cells/cell_kernel.hpp"
#include "nine_point/repeated.hpp"

namespace cfdmark {

CellDescription<NinePoint> NinePoint::description() {
  return {.name = "nine_point",
          .flops = [](int, bool) { return 11.0; },
          .more =
              [](BackendKind kind) {
                return kind == BackendKind::serial
                           ? Methods<CellArgs<NinePoint>>{repeated_method<NinePoint>()}
                           : Methods<CellArgs<NinePoint>>{};
              }};
}

}  // namespace cfdmark
