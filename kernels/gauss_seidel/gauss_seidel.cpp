#include "kernels/gauss_seidel/gauss_seidel.hpp"

#include "kernels/backends/operator_problem.hpp"

namespace cfdmark {
namespace {

// Fields: u, b, coefficient arrays.
template <OperatorKind kind>
GaussSeidelArgs bind(Precision p, const Grid& g, const std::vector<AnyView>& f, double*) {
  return {p, g, timed_operator<kind>(g, f, 2), 1.0, f[0], f[1]};
}

// The expectation visits the cells with three plain loops and HostField's slow accessors.
template <OperatorKind kind>
HostProblem problem(Precision p, const Grid& g) {
  HostProblem problem;
  problem.check = "every bit against a loop over the cells";
  problem.fields = {{noise_field(g, p, 1), noise_field(g, p, 1)}, {noise_field(g, p, 2), {}}};
  if (kind == OperatorKind::arrays) append_operator_fields(problem, p, g);

  const GaussSeidelArgs args = bind<kind>(p, g, views_of(problem), nullptr);
  HostField& u = *problem.fields[0].expected;
  const HostField& b = problem.fields[1].initial;
  with_operator(p, args.a, g, [&]<class S, class C, int dims>(const auto& a) {
    for_each_cell(g, false, [&](int i, int j, int k) {
      auto around = [&](int di, int dj, int dk) { return C(u.get(i + di, j + dj, k + dk)); };
      u.set(i, j, k,
            S(stencil_over_relax<dims, C>(a.template at<dims>(i, j, k), around, C(b.get(i, j, k)),
                                          C(args.omega))));
    });
  });
  return problem;
}

template <OperatorKind kind>
KernelDescription<GaussSeidelArgs> kernel(const char* name) {
  return {.name = name,
          .problem = problem<kind>,
          .bind = bind<kind>,
          .cost = gauss_seidel_cost,
          .methods = gauss_seidel_methods};
}

}  // namespace

Cost gauss_seidel_cost(const GaussSeidelArgs& args) {
  const double cells = double(args.grid.cells());
  const int neighbours = args.grid.is_3d() ? 6 : 4;
  const double flops =
      (args.a.constant ? 1.5 : 2.0) * neighbours + 1 + 3;  // relax, then u + omega (relaxed - u)
  return {(3 + args.a.arrays(args.grid)) * cells * stored_bytes(args.precision), flops * cells, cells};
}

Methods<GaussSeidelArgs> gauss_seidel_methods(BackendKind kind) {
  return kind == BackendKind::serial ? gauss_seidel_serial() : Methods<GaussSeidelArgs>{};
}

KernelDescription<GaussSeidelArgs> gauss_seidel_kernel() {
  return kernel<OperatorKind::constant>("gauss_seidel");
}
KernelDescription<GaussSeidelArgs> gauss_seidel_coefficients_kernel() {
  return kernel<OperatorKind::arrays>("gauss_seidel_coefficients");
}

}  // namespace cfdmark
