// Several iterations of a relaxation that also compute the residual norm in the same pass over memory.
#pragma once

#include "kernels/cells/cell_kernel.hpp"
#include "kernels/residual/residual.hpp"

namespace cfdmark {

// K: a kernel whose step is one iteration. The methods have the names, settings and bits of K's own methods
// for several iterations.
template <class K>
struct SweepsAndResidual {
  // Ghosts of the written field equal those of u.
  CellArgs<K> sweeps;
  // In the backend's memory: the sum of (b - A u)^2 over all cells after the last iteration, as by
  // ResidualSquare; on hosts with the same bits.
  double* square = nullptr;
};

// Returns the cost per iteration with its share of the residual: the arithmetic, and for `passes` additional
// passes the reads of a pass with one iteration, of_a_pass.
template <class K>
Cost with_residual(Cost of_sweep, const Cost& of_a_pass, const CellArgs<K>& args, int sweeps, int passes) {
  const Grid g = args.grid();
  const double cells = double(g.cells());
  of_sweep.flops +=
      cells * ResidualSquare::description().flops(g.is_3d() ? 3 : 2, args.op().constant) / sweeps;
  of_sweep.bytes += passes * (of_a_pass.bytes - cells * double(stored_bytes(args.precision))) / sweeps;
  return of_sweep;
}

}  // namespace cfdmark
