#include "kernels/red_black_sor/red_black_sor.hpp"

#include "kernels/backends/built.hpp"
#include "kernels/backends/operator_problem.hpp"

namespace cfdmark {
namespace {

constexpr double timed_omega = 1.85;  // Shinn's

// Fields: u, b, coefficient arrays.
template <OperatorKind kind>
RedBlackArgs bind(Precision p, const Grid& g, const std::vector<AnyView>& f, double*) {
  return {p, g, timed_operator<kind>(g, f, 2), timed_omega, ColourOrder::red_black, f[0], f[1]};
}

template <OperatorKind kind>
HostProblem problem(Precision p, const Grid& g) {
  HostProblem problem;
  problem.check = "every bit against a loop over the cells of each colour";
  problem.fields = {{noise_field(g, p, 1), noise_field(g, p, 1)}, {noise_field(g, p, 2), {}}};
  if (kind == OperatorKind::arrays) append_operator_fields(problem, p, g);

  const RedBlackArgs args = bind<kind>(p, g, views_of(problem), nullptr);
  const AnyView expected = problem.fields[0].expected->view();
  with_operator(p, args.a, g, [&]<class S, class C, int dims>(const auto& a) {
    const auto u = expected.as<S>();
    const auto b = args.b.as<const S>();
    for (int colour : colours_of(args.order))
      for_each_cell_in_parallel(g, false, [&](int i, int j, int k) {
        if ((i + j + k) % 2 != colour) return;
        auto around = [&](int di, int dj, int dk) { return C(u(i + di, j + dj, g.is_3d() ? k + dk : 0)); };
        u(i, j, k) = S(
            stencil_over_relax<dims, C>(a.template at<dims>(i, j, k), around, C(b(i, j, k)), C(args.omega)));
      });
  });
  return problem;
}

template <OperatorKind kind>
KernelDescription<RedBlackArgs> kernel(const char* name) {
  return {.name = name,
          .problem = problem<kind>,
          .bind = bind<kind>,
          .cost = red_black_natural_cost,
          .methods = red_black_methods};
}

double flops(const RedBlackArgs& args) {
  const int neighbours = args.grid.is_3d() ? 6 : 4;
  const double a_cell =
      (args.a.constant ? 1.5 : 2.0) * neighbours + 1 + 3;  // relax, then u + omega (relaxed - u)
  return a_cell * double(args.grid.cells()) * double(colours_of(args.order).size()) / 2;
}

Cost cost_of(const RedBlackArgs& args, double values_a_half_sweep) {
  const double cells = double(args.grid.cells());
  const double half_sweeps = double(colours_of(args.order).size());
  return {half_sweeps * values_a_half_sweep * cells * stored_bytes(args.precision), flops(args),
          cells * half_sweeps / 2};
}

}  // namespace

Cost red_black_natural_cost(const RedBlackArgs& args) { return cost_of(args, 3 + args.a.arrays(args.grid)); }

// Halves of arrays in a half sweep: own colour read and written, the other read, b and the coefficients read.
Cost red_black_split_cost(const RedBlackArgs& args) {
  return cost_of(args, (4 + args.a.arrays(args.grid)) / 2.0);
}

Cost red_black_fused_cost(const RedBlackArgs& args) {
  return {(3.0 + args.a.arrays(args.grid)) * double(args.grid.cells()) * stored_bytes(args.precision),
          flops(args), double(args.grid.cells())};
}

Methods<RedBlackArgs> red_black_methods(BackendKind kind) {
  switch (kind) {
    case BackendKind::serial: return red_black_serial();
    case BackendKind::openmp: return red_black_openmp();
    case BackendKind::kokkos:
      if constexpr (built_with_kokkos) return red_black_kokkos();
      break;
    case BackendKind::cuda:
      if constexpr (built_with_cuda) return red_black_cuda();
      break;
  }
  return {};
}

KernelDescription<RedBlackArgs> red_black_sor_kernel() {
  return kernel<OperatorKind::constant>("red_black_sor");
}
KernelDescription<RedBlackArgs> red_black_sor_coefficients_kernel() {
  return kernel<OperatorKind::arrays>("red_black_sor_coefficients");
}

}  // namespace cfdmark
