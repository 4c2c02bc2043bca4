// One Gauss-Seidel sweep in textbook (lexicographic) order, over-relaxed by omega: every cell sees the new
// values of the cells before it. Serial by nature; what red-black ordering is compared with.
#pragma once

#include "kernels/backends/timed_problem.hpp"

namespace cfdmark {

struct GaussSeidelArgs {
  Precision precision = Precision::fp64;
  Grid grid;
  Operator a;
  double omega = 1;
  AnyView u, b;  // u is updated in place
};

// u read and written, b read, coefficient arrays read where there are any.
Cost gauss_seidel_cost(const GaussSeidelArgs&);
Methods<GaussSeidelArgs> gauss_seidel_methods(BackendKind);
KernelDescription<GaussSeidelArgs> gauss_seidel_kernel();
KernelDescription<GaussSeidelArgs> gauss_seidel_coefficients_kernel();

Methods<GaussSeidelArgs> gauss_seidel_serial();

}  // namespace cfdmark
