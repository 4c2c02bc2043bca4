#include "kernels/cg_vectors/cg_vectors.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<CgResidual> CgResidual::description() {
  return {.name = "cg_residual", .timed = {.alpha = {0.4}}, .flops = [](int, bool) { return 4.0; }};
}
CellDescription<CgSolution> CgSolution::description() {
  return {.name = "cg_solution", .timed = {.alpha = {0.4}, .beta = {0.5}}, .flops = [](int, bool) {
            return 4.0;
          }};
}

}  // namespace cfdmark
