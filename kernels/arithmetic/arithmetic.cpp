#include "kernels/arithmetic/arithmetic.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

// Values neither grow nor become subnormal: (1 + s)^32 is 0.13.
CellDescription<FusedMultiplyAdd> FusedMultiplyAdd::description() {
  return {.name = "fused_multiply_add", .timed = {.s = -0.0625}, .flops = [](int, bool) {
            return double(arithmetic_flops);
          }};
}
CellDescription<SeparateMultiplyAdd> SeparateMultiplyAdd::description() {
  return {.name = "separate_multiply_add", .timed = {.s = -0.0625}, .flops = [](int, bool) {
            return double(arithmetic_flops);
          }};
}

}  // namespace cfdmark
