#include "kernels/reduction/reduction.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/backends/built.hpp"

namespace cfdmark {
namespace {

template <ReductionOperation operation>
double term(double x, double y) {
  if (operation == ReductionOperation::sum) return x;
  return operation == ReductionOperation::dot ? x * y : std::abs(x);
}

// The reference: long double over the cells in order. Rounding of a sum of n terms in parts of about a row
// each grows like the square root of the row; all terms are positive, so this is relative to the sum itself.
template <ReductionOperation operation>
HostProblem reduction_problem(const ProblemShape& shape) {
  const auto& [p, grid, op, steps] = shape;
  HostField x = noise_field(grid, p, 1), y = noise_field(grid, p, 2);
  x.set(grid.nx / 2, grid.ny / 2, grid.nz / 2, -1.75);  // the max-norm is a negative cell
  long double total = 0;
  for_each_cell(grid, false, [&](int i, int j, int k) {
    const long double value = term<operation>(x.get(i, j, k), y.get(i, j, k));
    total = operation == ReductionOperation::max_norm ? std::max(total, value) : total + value;
  });
  const double unit = p == Precision::fp32 ? roundoff(Precision::fp32) : roundoff(Precision::fp64);
  const double tolerance =
      operation == ReductionOperation::max_norm
          ? 0
          : 8 * unit * std::sqrt(double(std::max(grid.nx, 64))) * std::abs(double(total));
  return {{{x, {}}, {y, {}}}, double(total), tolerance, "the result against a sum in extended precision"};
}

template <ReductionOperation operation>
KernelDescription<ReductionArgs> reduction_kernel(const char* name) {
  return {.name = name,
          .problem = reduction_problem<operation>,
          .bind =
              [](const ProblemShape& s, const std::vector<AnyView>& f, double* result) {
                return ReductionArgs{s.precision, s.grid, operation, f[0], f[1], result};
              },
          .cost = reduction_cost,
          .methods = reduction_methods};
}

}  // namespace

Cost reduction_cost(const ReductionArgs& args) {
  const double cells = double(args.grid.cells());
  const bool two_fields = args.operation == ReductionOperation::dot && args.x.origin != args.y.origin;
  const bool dot = args.operation == ReductionOperation::dot;
  return {(two_fields ? 2 : 1) * cells * stored_bytes(args.precision), (dot ? 2 : 1) * cells, cells};
}

Cost reduction_two_pass_cost(const ReductionArgs& args) {
  Cost cost = reduction_cost(args);
  cost.bytes += 2 * cost.cells * stored_bytes(arithmetic_of(args.precision));
  return cost;
}

std::string only_dot_has_two_passes(const ReductionArgs& args) {
  return args.operation == ReductionOperation::dot ? ""
                                                   : "only a dot product has products to write down first";
}

Methods<ReductionArgs> reduction_methods(BackendKind kind) {
  switch (kind) {
    case BackendKind::serial: return reduction_serial();
    case BackendKind::openmp: return reduction_openmp();
    case BackendKind::kokkos:
      if constexpr (built_with_kokkos) return reduction_kokkos();
      break;
    case BackendKind::cuda:
      if constexpr (built_with_cuda) return reduction_cuda();
      break;
  }
  return {};
}

KernelDescription<ReductionArgs> sum_kernel() { return reduction_kernel<ReductionOperation::sum>("sum"); }
KernelDescription<ReductionArgs> dot_kernel() { return reduction_kernel<ReductionOperation::dot>("dot"); }
KernelDescription<ReductionArgs> max_norm_kernel() {
  return reduction_kernel<ReductionOperation::max_norm>("max_norm");
}

}  // namespace cfdmark
