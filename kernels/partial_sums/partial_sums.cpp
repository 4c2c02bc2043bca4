#include "kernels/partial_sums/partial_sums.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<PartialSum> PartialSum::description() {
  return {.name = "partial_sum", .flops = [](int, bool) { return 2.0; }};
}
CellDescription<PartialDot> PartialDot::description() {
  return {.name = "partial_dot", .flops = [](int, bool) { return 4.0; }};
}

}  // namespace cfdmark
