// What the methods written by hand share.
#pragma once

#include "kernels/backends/cell_kernel.hpp"
#include "kernels/jacobi/jacobi.hpp"

namespace cfdmark {

Methods<CellArgs<Jacobi>> jacobi_serial();
Methods<CellArgs<Jacobi>> jacobi_openmp();
Methods<CellArgs<Jacobi>> jacobi_cuda();
Methods<CellArgs<JacobiLaplace>> jacobi_laplace_cuda();

}  // namespace cfdmark
