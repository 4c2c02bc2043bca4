// The five- and seven-point operator: apply q = A u, and residual r = b - A u.
#pragma once

#include "kernels/backends/timed_problem.hpp"

namespace cfdmark {

enum class StencilOperation { apply, residual };

struct StencilArgs {
  Precision precision = Precision::fp64;
  Grid grid;
  StencilOperation operation = StencilOperation::apply;
  Operator a;
  AnyView u, b, out;  // u with its ghost layer; b is not read by apply
};

// u read, out written, b and the coefficient arrays read where there are any.
Cost stencil_cost(const StencilArgs&);
Methods<StencilArgs> stencil_methods(BackendKind);
KernelDescription<StencilArgs> apply_kernel();
KernelDescription<StencilArgs> apply_coefficients_kernel();
KernelDescription<StencilArgs> residual_kernel();
KernelDescription<StencilArgs> residual_coefficients_kernel();

Methods<StencilArgs> stencil_serial();
Methods<StencilArgs> stencil_openmp();
Methods<StencilArgs> stencil_kokkos();
Methods<StencilArgs> stencil_cuda();

}  // namespace cfdmark
