#include "kernels/adams_bashforth/adams_bashforth.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<AdamsBashforth> AdamsBashforth::description() {
  return {.name = "adams_bashforth", .timed = {{0.3, -0.1}}, .flops = [](int, bool) { return 8.0; }};
}
CellDescription<AdamsBashforth3d> AdamsBashforth3d::description() {
  return {.name = "adams_bashforth_3d", .timed = {{0.3, -0.1}}, .flops = [](int, bool) { return 12.0; }};
}

}  // namespace cfdmark
