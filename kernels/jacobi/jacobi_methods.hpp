// Shared parts of the hand-tuned methods.
#pragma once

#include "kernels/cells/cell_kernel.hpp"
#include "kernels/jacobi/jacobi.hpp"
#include "kernels/residual/sweeps_and_residual.hpp"

namespace cfdmark {

// Returns methods that perform config's `sweeps` iterations and compute the residual norm; empty if the
// backend has none.
Methods<SweepsAndResidual<Jacobi>> jacobi_with_residual(BackendKind);

Methods<CellArgs<Jacobi>> jacobi_serial();
Methods<CellArgs<Jacobi>> jacobi_openmp();
Methods<CellArgs<Jacobi>> jacobi_cuda();
Methods<SweepsAndResidual<Jacobi>> jacobi_with_residual_cuda();
Methods<CellArgs<JacobiLaplace>> jacobi_laplace_cuda();

}  // namespace cfdmark
