#include "kernels/cg_iteration/cg_iteration.hpp"

#include "kernels/cells/expected_result.hpp"
#include "kernels/cells/operator_problem.hpp"
#include "kernels/cg_iteration/cg_iteration_formula.hpp"
#include "kernels/device/built.hpp"

namespace cfdmark {
namespace {

constexpr double timed_factor = 0.4;

// With constant coefficients A p is computed twice; with arrays it is stored in q. Fields of direction: r,
// p_before, p, [q, coefficient arrays]. Fields of update: p, u, r, [q].
template <CgPass pass>
CgIterationArgs bind(const ProblemShape& shape, const std::vector<AnyView>& f, double* result) {
  const Grid& g = shape.grid;
  const bool keeps = shape.op == OperatorKind::arrays;
  CgIterationArgs args;
  args.precision = shape.precision, args.grid = g, args.pass = pass;
  args.a = timed_constant_operator(g), args.factor = {timed_factor}, args.result = result;
  if (pass == CgPass::direction) {
    args.r = f[0], args.p_before = f[1], args.p = f[2];
    if (keeps) args.q = f[3], args.a = operator_over(f, 4, g);
  } else {
    args.p = f[0], args.u = f[1], args.r = f[2];
    if (keeps) args.q = f[3];
  }
  return args;
}

HostProblem direction_start(const ProblemShape& shape) {
  const Precision precision = shape.precision;
  const Grid& g = shape.grid;
  HostProblem problem;
  problem.check = "every bit of p against a loop over the cells, p . A p against a sum in extended precision";
  const HostField unset = poisoned(HostField(g, precision));
  problem.fields = {{noise_field(g, precision, 1), {}}, {noise_field(g, precision, 2), {}}, {unset, true}};
  if (shape.op == OperatorKind::arrays) {
    problem.fields.push_back({unset, true});
    append_operator_fields(problem, precision, g);
  }
  return problem;
}

Expected direction_expected(const HostProblem& start, const ProblemShape& shape) {
  const Precision precision = shape.precision;
  const Grid& g = shape.grid;
  Expected left = unchanged(start);
  const CgIterationArgs args = bind<CgPass::direction>(shape, views_for_steps(start, left.fields), nullptr);
  HostField& expected_p = left.fields[0];
  HostField p = expected_p;  // with its ghosts, which the kernel reads but does not write
  with_operator(precision, args.a, g, [&]<class S, class C, int dims>(const auto& a) {
    const auto r = args.r.as<const S>(), p_before = args.p_before.as<const S>();
    const auto vp = p.view().as<S>();
    for_each_cell_in_parallel(g, true, [&](int i, int j, int k) {
      vp(i, j, k) = S(cg_direction_value(C(r(i, j, k)), C(timed_factor), C(p_before(i, j, k))));
    });
    const auto whole_p = p.view().as<const S>();
    const auto cell = [&](int i, int j, int k, auto& sum) {
      const Neighbourhood<S, C> around(whole_p, i, j, k);
      const S q = S(stencil_apply<dims, C>(a.template at<dims>(i, j, k), around));
      expected_p.set(i, j, k, vp(i, j, k));
      if (args.keeps_product()) left.fields[1].set(i, j, k, q);
      sum.add(Product<double>{vp(i, j, k), q});
    };
    joined_over_cells<SumOperation>(g, cell).expect(left, precision, g);
  });
  return left;
}

HostProblem update_start(const ProblemShape& shape) {
  const Precision precision = shape.precision;
  const Grid& g = shape.grid;
  HostProblem problem;
  problem.check =
      "every bit of u and r against a loop over the cells, r . r against a sum in extended precision";
  problem.fields = {{noise_field(g, precision, 1), {}},
                    {noise_field(g, precision, 2), true},
                    {noise_field(g, precision, 3), true}};
  if (shape.op == OperatorKind::arrays) problem.fields.push_back({noise_field(g, precision, 4), {}});
  return problem;
}

Expected update_expected(const HostProblem& start, const ProblemShape& shape) {
  const Precision precision = shape.precision;
  const Grid& g = shape.grid;
  Expected left = unchanged(start);
  const CgIterationArgs args = bind<CgPass::update>(shape, views_for_steps(start, left.fields), nullptr);
  with_operator(precision, args.a, g, [&]<class S, class C, int dims>(const auto& a) {
    const auto p = args.p.as<const S>(), kept = args.q.as<const S>();
    const auto new_u = args.u.as<S>(), new_r = args.r.as<S>();
    const auto cell = [&](int i, int j, int k, auto& sum) {
      const Neighbourhood<S, C> around(p, i, j, k);
      const S q = args.keeps_product() ? kept(i, j, k)
                                       : S(stencil_apply<dims, C>(a.template at<dims>(i, j, k), around));
      S &solution = new_u(i, j, k), &residual = new_r(i, j, k);
      solution = S(cg_solution_value(C(solution), C(timed_factor), C(p(i, j, k))));
      residual = S(cg_residual_value(C(residual), C(timed_factor), C(q)));
      sum.add(Product<double>{residual, residual});
    };
    joined_over_cells<SumOperation>(g, cell).expect(left, precision, g);
  });
  return left;
}

// Defaults are those for a constant operator, whatever the operator.
template <CgPass pass>
KernelDescription<CgIterationArgs> kernel(const char* name) {
  return {.name = name,
          .has_operator = true,
          .start = pass == CgPass::direction ? direction_start : update_start,
          .expected = pass == CgPass::direction ? direction_expected : update_expected,
          .bind = bind<pass>,
          .cost = cg_iteration_cost,
          .methods = [](BackendKind b) { return cg_iteration_methods(b, pass, true); }};
}

}  // namespace

Cost cg_iteration_cost(const CgIterationArgs& args) {
  const double cells = double(args.grid.cells());
  const bool direction = args.pass == CgPass::direction, keeps = args.keeps_product(),
             applies = direction || !keeps;
  const int values = (direction ? 3 : 5) + (keeps ? 1 : 0) + (applies ? args.a.arrays(args.grid) : 0);
  const double flops =
      (direction ? 2 : 4) + (applies ? stencil_flops(args.grid.is_3d() ? 3 : 2, args.a.constant) + 2 : 0) + 2;
  return {values * cells * stored_bytes(args.precision), flops * cells, cells};
}

Methods<CgIterationArgs> cg_iteration_methods(BackendKind kind, CgPass pass, bool constant_operator) {
  switch (kind) {
    case BackendKind::serial: return cg_iteration_serial();
    case BackendKind::openmp: return cg_iteration_openmp();
    case BackendKind::kokkos:
      if constexpr (built_with_kokkos) return cg_iteration_kokkos();
      break;
    case BackendKind::cuda:
      if constexpr (built_with_cuda) return cg_iteration_cuda(pass, constant_operator);
      break;
  }
  return {};
}

KernelDescription<CgIterationArgs> cg_direction_kernel() { return kernel<CgPass::direction>("cg_direction"); }
KernelDescription<CgIterationArgs> cg_update_kernel() { return kernel<CgPass::update>("cg_update"); }

}  // namespace cfdmark
