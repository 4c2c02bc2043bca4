#include "kernels/stencil_operator/stencil_operator.hpp"

#include "kernels/backends/built.hpp"
#include "kernels/backends/operator_problem.hpp"

namespace cfdmark {
namespace {

// Fields: u, b, out, coefficient arrays.
template <StencilOperation operation, OperatorKind kind>
StencilArgs bind(Precision p, const Grid& g, const std::vector<AnyView>& f, double*) {
  return {p, g, operation, timed_operator<kind>(g, f, 3), f[0], f[1], f[2]};
}

template <StencilOperation operation, OperatorKind kind>
HostProblem problem(Precision p, const Grid& g) {
  HostProblem problem;
  problem.check = "every bit against a loop over the cells";
  problem.fields = {
      {noise_field(g, p, 1), {}}, {noise_field(g, p, 2), {}}, {poisoned(HostField(g, p)), HostField(g, p)}};
  if (kind == OperatorKind::arrays) append_operator_fields(problem, p, g);

  const StencilArgs args = bind<operation, kind>(p, g, views_of(problem), nullptr);
  const AnyView expected = problem.fields[2].expected->view();
  with_operator(p, args.a, g, [&]<class S, class C, int dims>(const auto& a) {
    const auto u = args.u.as<const S>(), b = args.b.as<const S>();
    const auto out = expected.as<S>();
    for_each_cell_in_parallel(g, false, [&](int i, int j, int k) {
      const auto cell = a.template at<dims>(i, j, k);
      const Neighbourhood<S, C> around(u, i, j, k);
      out(i, j, k) =
          S(operation == StencilOperation::apply ? stencil_apply<dims, C>(cell, around)
                                                 : stencil_residual<dims, C>(cell, around, C(b(i, j, k))));
    });
  });
  return problem;
}

template <StencilOperation operation, OperatorKind kind>
KernelDescription<StencilArgs> kernel(const char* name) {
  return {.name = name,
          .problem = problem<operation, kind>,
          .bind = bind<operation, kind>,
          .cost = stencil_cost,
          .methods = stencil_methods};
}

}  // namespace

Cost stencil_cost(const StencilArgs& args) {
  const double cells = double(args.grid.cells());
  const bool residual = args.operation == StencilOperation::residual;
  const int values = 2 + (residual ? 1 : 0) + args.a.arrays(args.grid);
  const int neighbours = args.grid.is_3d() ? 6 : 4;
  // one multiply-add a neighbour and one for the centre; with constant weights opposite neighbours share one
  const double flops = args.a.constant ? 1.5 * neighbours + 2 : 2 * neighbours + 2;
  return {values * cells * stored_bytes(args.precision), flops * cells, cells};
}

Methods<StencilArgs> stencil_methods(BackendKind kind) {
  switch (kind) {
    case BackendKind::serial: return stencil_serial();
    case BackendKind::openmp: return stencil_openmp();
    case BackendKind::kokkos:
      if constexpr (built_with_kokkos) return stencil_kokkos();
      break;
    case BackendKind::cuda:
      if constexpr (built_with_cuda) return stencil_cuda();
      break;
  }
  return {};
}

KernelDescription<StencilArgs> apply_kernel() {
  return kernel<StencilOperation::apply, OperatorKind::constant>("apply");
}
KernelDescription<StencilArgs> apply_coefficients_kernel() {
  return kernel<StencilOperation::apply, OperatorKind::arrays>("apply_coefficients");
}
KernelDescription<StencilArgs> residual_kernel() {
  return kernel<StencilOperation::residual, OperatorKind::constant>("residual");
}
KernelDescription<StencilArgs> residual_coefficients_kernel() {
  return kernel<StencilOperation::residual, OperatorKind::arrays>("residual_coefficients");
}

}  // namespace cfdmark
