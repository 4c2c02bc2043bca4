#include "kernels/bicgstab_iteration/bicgstab_iteration.hpp"

#include "kernels/cells/cell_kernel.hpp"

namespace cfdmark {

CellDescription<BiCgStabDirection> BiCgStabDirection::description() {
  return {.name = "bicgstab_direction",
          .timed = {.inverse_omega = {0.5}, .beta_omega = {0.4}},
          .flops = [](int, bool) { return 4.0; }};
}
CellDescription<BiCgStabProduct> BiCgStabProduct::description() {
  return {.name = "bicgstab_product",
          .flops = [](int dims, bool constant) { return stencil_flops(dims, constant) + 4; }};
}
CellDescription<BiCgStabUpdate> BiCgStabUpdate::description() {
  return {.name = "bicgstab_update", .timed = {.alpha = {0.4}, .omega = {0.3}}, .flops = [](int, bool) {
            return 8.0;
          }};
}

}  // namespace cfdmark
