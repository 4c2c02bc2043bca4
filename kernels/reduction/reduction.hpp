// sum, dot and max-norm over the interior cells. Deterministic: the same bits run after run on the same
// backend and config, and on serial and openmp whatever the number of threads.
#pragma once

#include "kernels/backends/timed_problem.hpp"
#include "kernels/core/reduction_operations.hpp"

namespace cfdmark {

enum class ReductionOperation { sum, dot, max_norm };

struct ReductionArgs {
  Precision precision = Precision::fp64;
  Grid grid;
  ReductionOperation operation = ReductionOperation::sum;
  AnyView x, y;              // y is read by dot only; it may be x
  double* result = nullptr;  // one double in the backend's memory
};

// Calls f.template operator()<Op>() with the operation's type.
template <class F>
decltype(auto) with_operation(ReductionOperation operation, F&& f) {
  switch (operation) {
    case ReductionOperation::sum: return f.template operator()<SumOperation>();
    case ReductionOperation::dot: return f.template operator()<DotOperation>();
    case ReductionOperation::max_norm: break;
  }
  return f.template operator()<MaxNormOperation>();
}

// The sum of x y, where the products lie in a field of their own, in the precision of the arithmetic.
inline ReductionArgs sum_of_products(const ReductionArgs& dot, const AnyView& products) {
  return {arithmetic_of(dot.precision), dot.grid, ReductionOperation::sum, products, {}, dot.result};
}

// Values read once; dot of a field with itself reads one.
Cost reduction_cost(const ReductionArgs&);
Methods<ReductionArgs> reduction_methods(BackendKind);
KernelDescription<ReductionArgs> sum_kernel();
KernelDescription<ReductionArgs> dot_kernel();
KernelDescription<ReductionArgs> max_norm_kernel();

Methods<ReductionArgs> reduction_serial();
Methods<ReductionArgs> reduction_openmp();
Methods<ReductionArgs> reduction_kokkos();
Methods<ReductionArgs> reduction_cuda();
Method<ReductionArgs> reduction_openblas();
Methods<ReductionArgs> reduction_levels_cuda();

// two_pass, a dot product as Menon 2008 (section 4.3) has it beside his fused one: the products, then their
// sum. The products are written and read again.
Cost reduction_two_pass_cost(const ReductionArgs&);
std::string only_dot_has_two_passes(const ReductionArgs&);

}  // namespace cfdmark
