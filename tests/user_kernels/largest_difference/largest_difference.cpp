#include "largest_difference/largest_difference.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<LargestDifference> LargestDifference::description() {
  return {.name = "largest_difference", .flops = [](int, bool) { return 2.0; }};
}

}  // namespace cfdmark
