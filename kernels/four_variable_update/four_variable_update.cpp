#include "kernels/four_variable_update/four_variable_update.hpp"

#include "kernels/backends/built.hpp"

namespace cfdmark {
namespace {

constexpr double timed_dt = 0.4;

// Fields: the four variables, then their four right-hand sides.
FourVariableArgs bind(Precision p, const Grid& g, const std::vector<AnyView>& f, double*) {
  return {p, g, timed_dt, {f[0], f[1], f[2], f[3]}, {f[4], f[5], f[6], f[7]}};
}

HostProblem problem(Precision p, const Grid& g) {
  HostProblem problem;
  problem.check = "every bit against a loop over the cells";
  for (unsigned v = 0; v < 4; ++v) {
    const HostField q = noise_field(g, p, 1 + v), rhs = noise_field(g, p, 5 + v);
    HostField expected = q;
    with_types(p, [&]<class S, class C>() {
      const auto out = expected.view().as<S>();
      const auto from = rhs.view().as<const S>();
      for_each_cell_in_parallel(g, false, [&](int i, int j, int k) {
        out(i, j, k) = S(advanced(C(out(i, j, k)), C(timed_dt), C(from(i, j, k))));
      });
    });
    problem.fields.insert(problem.fields.begin() + v, {q, expected});
    problem.fields.push_back({rhs, {}});
  }
  return problem;
}

}  // namespace

Cost four_variable_cost(const FourVariableArgs& args) {
  const double cells = double(args.grid.cells());
  return {3 * 4 * cells * stored_bytes(args.precision), 2 * 4 * cells, cells};
}

Methods<FourVariableArgs> four_variable_methods(BackendKind kind) {
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
}

KernelDescription<FourVariableArgs> four_variable_update_kernel() {
  return {.name = "four_variable_update",
          .problem = problem,
          .bind = bind,
          .cost = four_variable_cost,
          .methods = four_variable_methods};
}

}  // namespace cfdmark
