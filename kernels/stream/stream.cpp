#include "kernels/stream/stream.hpp"

#include "kernels/backends/built.hpp"
#include "kernels/stream/stream_formula.hpp"

namespace cfdmark {
namespace {

constexpr double timed_factor = 0.4;

HostProblem copy_problem(Precision p, const Grid& grid) {
  HostField b = noise_field(grid, p, 1);
  const HostField zero(grid, p);
  HostField expected(grid, p);
  for_each_cell_in_parallel(grid, false, [&](int i, int j, int k) { expected.set(i, j, k, b.get(i, j, k)); });
  return {{{b, {}}, {poisoned(zero), expected}}, {}, 0, "every bit against a loop over the cells"};
}

HostProblem triad_problem(Precision p, const Grid& grid) {
  const HostField b = noise_field(grid, p, 1), c = noise_field(grid, p, 2), zero(grid, p);
  HostField expected(grid, p);
  with_types(p, [&]<class S, class C>() {
    const auto out = expected.view().as<S>();
    const auto vb = b.view().as<const S>(), vc = c.view().as<const S>();
    for_each_cell_in_parallel(grid, false, [&](int i, int j, int k) {
      out(i, j, k) = S(triad_value(C(vb(i, j, k)), C(timed_factor), C(vc(i, j, k))));
    });
  });
  return {{{b, {}}, {c, {}}, {poisoned(zero), expected}}, {}, 0, "every bit against a loop over the cells"};
}

}  // namespace

Cost stream_cost(const StreamArgs& args) {
  const double cells = double(args.grid.cells());
  const bool triad = args.operation == StreamOperation::triad;
  return {(triad ? 3 : 2) * cells * stored_bytes(args.precision), triad ? 2 * cells : 0, cells};
}

Methods<StreamArgs> stream_methods(BackendKind kind) {
  switch (kind) {
    case BackendKind::serial: return stream_serial();
    case BackendKind::openmp: return stream_openmp();
    case BackendKind::kokkos:
      if constexpr (built_with_kokkos) return stream_kokkos();
      break;
    case BackendKind::cuda:
      if constexpr (built_with_cuda) return stream_cuda();
      break;
  }
  return {};
}

KernelDescription<StreamArgs> copy_kernel() {
  return {.name = "copy",
          .problem = copy_problem,
          .bind = [](Precision p, const Grid& g, const std::vector<AnyView>& f,
                     double*) { return StreamArgs{p, g, StreamOperation::copy, 0, f[0], {}, f[1]}; },
          .cost = stream_cost,
          .methods = stream_methods};
}

KernelDescription<StreamArgs> triad_kernel() {
  return {.name = "triad",
          .problem = triad_problem,
          .bind =
              [](Precision p, const Grid& g, const std::vector<AnyView>& f, double*) {
                return StreamArgs{p, g, StreamOperation::triad, timed_factor, f[0], f[1], f[2]};
              },
          .cost = stream_cost,
          .methods = stream_methods};
}

}  // namespace cfdmark
