// What the methods written by hand share.
#pragma once

#include "kernels/backends/cell_kernel.hpp"
#include "kernels/jacobi/jacobi.hpp"
#include "kernels/residual/sweeps_and_residual.hpp"

namespace cfdmark {

// By config's `sweeps`. None where no method of a backend leaves the residual's norm, too.
Methods<SweepsAndResidual<Jacobi>> jacobi_with_residual(BackendKind);

Methods<CellArgs<Jacobi>> jacobi_serial();
Methods<CellArgs<Jacobi>> jacobi_openmp();
Methods<CellArgs<Jacobi>> jacobi_cuda();
Methods<SweepsAndResidual<Jacobi>> jacobi_with_residual_cuda();
Methods<CellArgs<JacobiLaplace>> jacobi_laplace_cuda();

}  // namespace cfdmark
