// 3-D smoothing, out = (1 - s) u + s (sum of the six neighbours) / 6: section 11.6 of the review of GPU
// computing for CFD. (Its CPU listing reads the right neighbour where the centre is meant; its GPU listing
// has the centre.)
#pragma once

#include "kernels/backends/timed_problem.hpp"

namespace cfdmark {

struct SmoothingArgs {
  Precision precision = Precision::fp64;
  Grid grid;  // 3-D
  double s = 0.5;
  AnyView u, out;  // u with its ghost layer
};

// u read, out written.
Cost smoothing_cost(const SmoothingArgs&);
Methods<SmoothingArgs> smoothing_methods(BackendKind);
KernelDescription<SmoothingArgs> smoothing_kernel();

Methods<SmoothingArgs> smoothing_serial();
Methods<SmoothingArgs> smoothing_openmp();
Methods<SmoothingArgs> smoothing_kokkos();
Methods<SmoothingArgs> smoothing_cuda();

}  // namespace cfdmark
