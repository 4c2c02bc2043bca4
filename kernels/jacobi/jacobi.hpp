// One Jacobi sweep: out = (b + sum of neighbours' terms) / aP for every cell, from the old values everywhere.
#pragma once

#include "kernels/backends/timed_problem.hpp"

namespace cfdmark {

struct JacobiArgs {
  Precision precision = Precision::fp64;
  Grid grid;
  Operator a;
  AnyView u, b, out;  // out is not u; both need their ghost layers
};

// u and b read, out written, coefficient arrays read where there are any.
Cost jacobi_cost(const JacobiArgs&);
Methods<JacobiArgs> jacobi_methods(BackendKind);
KernelDescription<JacobiArgs> jacobi_kernel();
KernelDescription<JacobiArgs> jacobi_coefficients_kernel();

Methods<JacobiArgs> jacobi_serial();
Methods<JacobiArgs> jacobi_openmp();
Methods<JacobiArgs> jacobi_kokkos();
Methods<JacobiArgs> jacobi_cuda();

}  // namespace cfdmark
