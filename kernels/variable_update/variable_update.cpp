#include "kernels/variable_update/variable_update.hpp"

#include "kernels/variable_update/variable_layouts.hpp"

namespace cfdmark {
namespace {

template <class K>
Methods<CellArgs<K>> by_hand(BackendKind kind) {
  switch (kind) {
    case BackendKind::serial: return variables_serial<K>();
    case BackendKind::openmp: return variables_openmp<K>();
    case BackendKind::kokkos:
      if constexpr (built_with_kokkos) return variables_kokkos<K>();
      break;
    case BackendKind::cuda:
      if constexpr (built_with_cuda) return variables_cuda<K>();
      break;
  }
  return {};
}

template <class K>
CellDescription<K> described(const char* name) {
  return {.name = name,
          .timed = {.dt = 0.4},
          .flops = [](int, bool) { return 2.0 * K::variables; },
          .plain = "structure_of_arrays",
          .more = by_hand<K>};
}

}  // namespace

CellDescription<FourVariableUpdate> FourVariableUpdate::description() {
  return described<FourVariableUpdate>("four_variable_update");
}
CellDescription<FiveVariableUpdate> FiveVariableUpdate::description() {
  return described<FiveVariableUpdate>("five_variable_update");
}

}  // namespace cfdmark
