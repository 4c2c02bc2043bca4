#include "kernels/jacobi/jacobi.hpp"

#include "kernels/backends/built.hpp"
#include "kernels/backends/operator_problem.hpp"

namespace cfdmark {
namespace {

// Fields: u, b, out, coefficient arrays.
template <OperatorKind kind>
JacobiArgs bind(Precision p, const Grid& g, const std::vector<AnyView>& f, double*) {
  return {p, g, timed_operator<kind>(g, f, 3), f[0], f[1], f[2]};
}

template <OperatorKind kind>
HostProblem problem(Precision p, const Grid& g) {
  HostProblem problem;
  problem.check = "every bit against a loop over the cells";
  problem.fields = {
      {noise_field(g, p, 1), {}}, {noise_field(g, p, 2), {}}, {poisoned(HostField(g, p)), HostField(g, p)}};
  if (kind == OperatorKind::arrays) append_operator_fields(problem, p, g);

  const JacobiArgs args = bind<kind>(p, g, views_of(problem), nullptr);
  const AnyView expected = problem.fields[2].expected->view();
  with_operator(p, args.a, g, [&]<class S, class C, int dims>(const auto& a) {
    const auto u = args.u.as<const S>(), b = args.b.as<const S>();
    const auto out = expected.as<S>();
    for_each_cell_in_parallel(g, false, [&](int i, int j, int k) {
      out(i, j, k) = S(stencil_relax<dims, C>(a.template at<dims>(i, j, k), Neighbourhood<S, C>(u, i, j, k),
                                              C(b(i, j, k))));
    });
  });
  return problem;
}

template <OperatorKind kind>
KernelDescription<JacobiArgs> kernel(const char* name) {
  return {.name = name,
          .problem = problem<kind>,
          .bind = bind<kind>,
          .cost = jacobi_cost,
          .methods = jacobi_methods};
}

}  // namespace

Cost jacobi_cost(const JacobiArgs& args) {
  const double cells = double(args.grid.cells());
  const int neighbours = args.grid.is_3d() ? 6 : 4;
  // with constant weights opposite neighbours share a multiply-add; then one multiplication or division
  const double flops = (args.a.constant ? 1.5 : 2.0) * neighbours + 1;
  return {(3 + args.a.arrays(args.grid)) * cells * stored_bytes(args.precision), flops * cells, cells};
}

Methods<JacobiArgs> jacobi_methods(BackendKind kind) {
  switch (kind) {
    case BackendKind::serial: return jacobi_serial();
    case BackendKind::openmp: return jacobi_openmp();
    case BackendKind::kokkos:
      if constexpr (built_with_kokkos) return jacobi_kokkos();
      break;
    case BackendKind::cuda:
      if constexpr (built_with_cuda) return jacobi_cuda();
      break;
  }
  return {};
}

KernelDescription<JacobiArgs> jacobi_kernel() { return kernel<OperatorKind::constant>("jacobi"); }
KernelDescription<JacobiArgs> jacobi_coefficients_kernel() {
  return kernel<OperatorKind::arrays>("jacobi_coefficients");
}

}  // namespace cfdmark
