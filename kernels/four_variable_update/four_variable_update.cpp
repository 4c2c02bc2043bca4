#include "kernels/four_variable_update/four_variable_update.hpp"

#include "kernels/backends/cell_kernel.hpp"

namespace cfdmark {

using FourVariableMethods = Methods<CellArgs<FourVariableUpdate>>;
FourVariableMethods four_variable_serial(), four_variable_openmp(), four_variable_kokkos(),
    four_variable_cuda();

CellDescription<FourVariableUpdate> FourVariableUpdate::description() {
  return {.name = "four_variable_update",
          .timed = {.dt = 0.4},
          .flops = [](int, bool) { return 2.0 * 4; },
          .plain = "structure_of_arrays",
          .more = [](BackendKind kind) -> FourVariableMethods {
            switch (kind) {
              case BackendKind::serial: return four_variable_serial();
              case BackendKind::openmp: return four_variable_openmp();
              case BackendKind::kokkos:
                if constexpr (built_with_kokkos) return four_variable_kokkos();
                break;
              case BackendKind::cuda:
                if constexpr (built_with_cuda) return four_variable_cuda();
                break;
            }
            return {};
          }};
}

}  // namespace cfdmark
