// copy: a = b. triad: a = b + s c. The kernels that measure the roof, as McCalpin's STREAM defines them.
#pragma once

#include "kernels/backends/timed_problem.hpp"

namespace cfdmark {

enum class StreamOperation { copy, triad };

struct StreamArgs {
  Precision precision = Precision::fp64;
  Grid grid;
  StreamOperation operation = StreamOperation::copy;
  double s = 0;     // triad's factor
  AnyView b, c, a;  // c is not read by copy
};

// copy moves two values a cell, triad three.
Cost stream_cost(const StreamArgs&);
Methods<StreamArgs> stream_methods(BackendKind);
KernelDescription<StreamArgs> copy_kernel();
KernelDescription<StreamArgs> triad_kernel();

Methods<StreamArgs> stream_serial();
Methods<StreamArgs> stream_openmp();
Methods<StreamArgs> stream_kokkos();
Methods<StreamArgs> stream_cuda();

}  // namespace cfdmark
