#include "kernels/red_black_sor/red_black_methods.hpp"

namespace cfdmark {

Cost red_black_split_cost(const RedBlackArgs& args) {
  Cost cost = cell_cost(args);
  const Grid g = args.grid();
  cost.bytes = cost.cells * (4.0 + args.fields.a.arrays(g)) * double(stored_bytes(args.precision));
  return cost;
}

Methods<RedBlackPass> red_black_passes([[maybe_unused]] BackendKind kind) {
  if constexpr (built_with_cuda)
    if (kind == BackendKind::cuda) return red_black_passes_cuda();
  return {};
}

Methods<SmallCycle> red_black_small_cycles([[maybe_unused]] BackendKind kind) {
  if constexpr (built_with_cuda)
    if (kind == BackendKind::cuda) return red_black_small_cycles_cuda();
  return {};
}

// Below Shinn's 1.85, with which the values of the timed problem with coefficient arrays, which are not
// symmetric, grow to infinity. Arithmetic on infinities has other timings.
constexpr double timed_omega = 1.5;

CellDescription<RedBlackSor> RedBlackSor::description() {
  return {.name = "red_black_sor",
          .timed = {.omega = timed_omega},
          .flops = [](int dims, bool constant) { return stencil_flops(dims, constant) + 1 + 3; },
          .more = [](BackendKind kind) -> Methods<RedBlackArgs> {
            switch (kind) {
              case BackendKind::serial: return red_black_serial();
              case BackendKind::openmp: return red_black_openmp();
              case BackendKind::kokkos: break;
              case BackendKind::cuda:
                if constexpr (built_with_cuda) return red_black_cuda();
                break;
            }
            return {};
          }};
}

CellDescription<RedBlackLaplace> RedBlackLaplace::description() {
  return {.name = "red_black_laplace",
          .timed = {{.omega = timed_omega}},
          .flops = RedBlackSor::description().flops,
          .more = [](BackendKind kind) -> Methods<CellArgs<RedBlackLaplace>> {
            if (kind == BackendKind::serial) return red_black_laplace_serial();
            if (kind == BackendKind::openmp) return red_black_laplace_openmp();
            if constexpr (built_with_cuda)
              if (kind == BackendKind::cuda) return red_black_laplace_cuda();
            return {};
          }};
}

}  // namespace cfdmark
