// sum, dot and max-norm over the interior cells. Deterministic: the same bits run after run on the same backend
// and config, and on serial and openmp whatever the number of threads.
#pragma once

#include "kernels/backends/timed_problem.hpp"

namespace cfdmark {

enum class ReductionOperation { sum, dot, max_norm };

struct ReductionArgs {
  Precision precision = Precision::fp64;
  Grid grid;
  ReductionOperation operation = ReductionOperation::sum;
  AnyView x, y;              // y is read by dot only; it may be x
  double* result = nullptr;  // one double in the backend's memory
};

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

}  // namespace cfdmark
