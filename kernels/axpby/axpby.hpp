// y = alpha x + beta y: axpy (beta = 1), the direction update of CG (alpha = 1), a scaled copy (beta = 0),
// and the conversions between 32 and 64 bits of iterative refinement (x and y stored differently).
#pragma once

#include "kernels/axpby/axpby_formula.hpp"
#include "kernels/backends/timed_problem.hpp"

namespace cfdmark {

struct AxpbyArgs {
  Precision precision = Precision::fp64;                               // of the arithmetic
  Precision x_storage = Precision::fp64, y_storage = Precision::fp64;  // fp32 or fp64
  Grid grid;
  Scalar alpha, beta;
  AnyView x, y;

  bool reads_y() const { return beta.numerator || beta.value != 0; }
};

// Calls f.template operator()<X, Y, C>() with the stored types of x and y and the type of the arithmetic.
template <class F>
decltype(auto) with_axpby_types(const AxpbyArgs& args, F&& f) {
  const bool x64 = args.x_storage == Precision::fp64, y64 = args.y_storage == Precision::fp64;
  if (args.precision == Precision::fp32) return f.template operator()<float, float, float>();
  if (x64 && y64) return f.template operator()<double, double, double>();
  if (x64) return f.template operator()<double, float, double>();
  if (y64) return f.template operator()<float, double, double>();
  return f.template operator()<float, float, double>();
}

// x read, y written, and y read unless beta is 0.
Cost axpby_cost(const AxpbyArgs&);
Methods<AxpbyArgs> axpby_methods(BackendKind);
KernelDescription<AxpbyArgs> axpy_kernel();

Methods<AxpbyArgs> axpby_serial();
Methods<AxpbyArgs> axpby_openmp();
Methods<AxpbyArgs> axpby_kokkos();
Methods<AxpbyArgs> axpby_cuda();
Method<AxpbyArgs> axpby_openblas();

}  // namespace cfdmark
