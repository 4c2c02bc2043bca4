// An iteration of conjugate gradients in two passes over memory:
//
//   direction   p = r + beta p_before,   result = p . A p
//   update      u = u + alpha p,   r = r - alpha A p,   result = r . r of the new r
//
// No pass waits for another's neighbours: on a device the direction there is computed anew from r and
// p_before, which is why p and p_before are two fields; a core makes it once a cell, a layer ahead of A p. A
// p is computed by both passes, or kept in q between them where that moves less: with constant coefficients
// an iteration then moves 8 values a cell, where the textbook's operations move 14. A p is rounded to storage
// either way: both give the same bits, and those of the textbook's operations.
//
// Deterministic, as the reductions are: the same bits run after run on the same backend and config, and on
// serial and openmp whatever the number of threads.
#pragma once

#include "kernels/backends/timed_problem.hpp"
#include "kernels/core/scalar.hpp"

namespace cfdmark {

enum class CgPass { direction, update };

struct CgIterationArgs {
  Precision precision = Precision::fp64;
  Grid grid;
  CgPass pass = CgPass::direction;
  Operator a;
  Scalar factor;  // beta, or alpha
  AnyView r, p_before,
      p;      // r and p_before with their ghost layers (0 where p is to be 0); update does not read p_before
  AnyView u;  // not read by direction
  AnyView q;  // A p, from direction to update; null: not kept
  double* result = nullptr;  // one double in the backend's memory

  bool keeps_product() const { return q.origin != nullptr; }
};

// direction: r and p_before read, p written, and the coefficient arrays read; q written if it is kept.
// update: p read, u and r read and written; q read if it was kept, else the coefficient arrays.
Cost cg_iteration_cost(const CgIterationArgs&);
// The methods of a pass: how they are best launched depends on it, and on whether there are coefficient
// arrays to read.
Methods<CgIterationArgs> cg_iteration_methods(BackendKind, CgPass, bool constant_operator);
KernelDescription<CgIterationArgs> cg_direction_kernel();
KernelDescription<CgIterationArgs> cg_update_kernel();

Methods<CgIterationArgs> cg_iteration_serial();
Methods<CgIterationArgs> cg_iteration_openmp();
Methods<CgIterationArgs> cg_iteration_kokkos();
Methods<CgIterationArgs> cg_iteration_cuda(CgPass, bool constant_operator);

}  // namespace cfdmark
