// An iteration of conjugate gradients in two passes over memory:
//
//   direction   p = r + beta p_before,   result = p . A p
//   update      u = u + alpha p,   r = r - alpha A p,   result = r . r of the new r
//
// No pass waits for neighbours of another cell. On a device the direction at neighbours is recomputed from r
// and p_before, which is why p and p_before are two fields; a CPU core computes it once per cell, one layer
// ahead of A p. A p is computed in both passes, or kept in q if that moves less. With constant coefficients
// an iteration moves 8 values per cell; the textbook's separate operations move 14. A p is rounded to storage
// precision either way, so both variants and the textbook's operations give the same bits.
//
// The result is deterministic, like all reductions: the same bits in every run on the same backend and
// config, and on serial and openmp for any number of threads.
#pragma once

#include "kernels/cells/timed_problem.hpp"
#include "kernels/core/scalar.hpp"

namespace cfdmark {

enum class CgPass { direction, update };

struct CgIterationArgs {
  Precision precision = Precision::fp64;
  Grid grid;
  CgPass pass = CgPass::direction;
  Operator a;
  Scalar factor;  // beta for direction, alpha for update
  AnyView r, p_before,
      p;      // r and p_before include ghosts (0 where p is to be 0); update does not read p_before
  AnyView u;  // not read by direction
  AnyView q;  // A p, written by direction and read by update; null: not kept
  double* result = nullptr;  // one double in the backend's memory

  bool keeps_product() const { return q.origin != nullptr; }
};

// Returns the declared cost. direction reads r, p_before and the coefficient arrays and writes p, and q if
// kept. update reads p, reads and writes u and r, and reads q if kept, else the coefficient arrays.
Cost cg_iteration_cost(const CgIterationArgs&);
// Returns the methods of a pass. Their default launch shape depends on the pass and on whether coefficient
// arrays are read.
Methods<CgIterationArgs> cg_iteration_methods(BackendKind, CgPass, bool constant_operator);
KernelDescription<CgIterationArgs> cg_direction_kernel();
KernelDescription<CgIterationArgs> cg_update_kernel();

Methods<CgIterationArgs> cg_iteration_serial();
Methods<CgIterationArgs> cg_iteration_openmp();
Methods<CgIterationArgs> cg_iteration_kokkos();
Methods<CgIterationArgs> cg_iteration_cuda(CgPass, bool constant_operator);

}  // namespace cfdmark
