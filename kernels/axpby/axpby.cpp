#include "kernels/axpby/axpby.hpp"

#include "kernels/axpby/axpby_formula.hpp"
#include "kernels/backends/built.hpp"

namespace cfdmark {
namespace {

constexpr double timed_alpha = 0.4;

HostProblem axpy_problem(Precision p, const Grid& grid) {
  const HostField x = noise_field(grid, p, 1), y = noise_field(grid, p, 2);
  HostField expected = y;
  with_types(p, [&]<class S, class C>() {
    const auto out = expected.view().as<S>();
    const auto vx = x.view().as<const S>();
    for_each_cell_in_parallel(grid, false, [&](int i, int j, int k) {
      out(i, j, k) = S(axpby_value(C(timed_alpha), C(vx(i, j, k)), C(1), C(out(i, j, k))));
    });
  });
  return {{{x, {}}, {y, expected}}, {}, 0, "every bit against a loop over the cells"};
}

}  // namespace

Cost axpby_cost(const AxpbyArgs& args) {
  const double cells = double(args.grid.cells());
  const double bytes =
      double(stored_bytes(args.x_storage) + (args.reads_y() ? 2 : 1) * stored_bytes(args.y_storage));
  return {bytes * cells, 2 * cells, cells};
}

Methods<AxpbyArgs> axpby_methods(BackendKind kind) {
  switch (kind) {
    case BackendKind::serial: return axpby_serial();
    case BackendKind::openmp: return axpby_openmp();
    case BackendKind::kokkos:
      if constexpr (built_with_kokkos) return axpby_kokkos();
      break;
    case BackendKind::cuda:
      if constexpr (built_with_cuda) return axpby_cuda();
      break;
  }
  return {};
}

KernelDescription<AxpbyArgs> axpy_kernel() {
  return {.name = "axpy",
          .problem = axpy_problem,
          .bind =
              [](Precision p, const Grid& g, const std::vector<AnyView>& f, double*) {
                return AxpbyArgs{p, storage_of(p), storage_of(p), g, {timed_alpha}, {1}, f[0], f[1]};
              },
          .cost = axpby_cost,
          .methods = axpby_methods};
}

}  // namespace cfdmark
