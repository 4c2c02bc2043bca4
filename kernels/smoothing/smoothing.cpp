#include "kernels/smoothing/smoothing.hpp"

#include "kernels/backends/built.hpp"
#include "kernels/smoothing/smoothing_formula.hpp"

namespace cfdmark {
namespace {

constexpr double timed_s = 0.3;

SmoothingArgs bind(Precision p, const Grid& g, const std::vector<AnyView>& f, double*) {
  return {p, g, timed_s, f[0], f[1]};
}

HostProblem problem(Precision p, const Grid& g) {
  const HostField u = noise_field(g, p, 1);
  HostField expected(g, p);
  with_types(p, [&]<class S, class C>() {
    for_each_cell_in_parallel(g, false, [&](int i, int j, int k) {
      auto around = [&](int di, int dj, int dk) { return C(u.get(i + di, j + dj, k + dk)); };
      expected.set(i, j, k, S(smoothed<C>(around, C(timed_s))));
    });
  });
  return {{{u, {}}, {poisoned(HostField(g, p)), expected}}, {}, 0, "every bit against a loop over the cells"};
}

}  // namespace

Cost smoothing_cost(const SmoothingArgs& args) {
  const double cells = double(args.grid.cells());
  return {2 * cells * stored_bytes(args.precision), 9 * cells, cells};
}

Methods<SmoothingArgs> smoothing_methods(BackendKind kind) {
  switch (kind) {
    case BackendKind::serial: return smoothing_serial();
    case BackendKind::openmp: return smoothing_openmp();
    case BackendKind::kokkos:
      if constexpr (built_with_kokkos) return smoothing_kokkos();
      break;
    case BackendKind::cuda:
      if constexpr (built_with_cuda) return smoothing_cuda();
      break;
  }
  return {};
}

KernelDescription<SmoothingArgs> smoothing_kernel() {
  return {.name = "smoothing",
          .in_2d = false,
          .problem = problem,
          .bind = bind,
          .cost = smoothing_cost,
          .methods = smoothing_methods};
}

}  // namespace cfdmark
