// Several sweeps of a relaxation that leave the norm of the residual behind them, too, in the pass over
// memory that they make anyway.
#pragma once

#include "kernels/backends/cell_kernel.hpp"
#include "kernels/residual/residual.hpp"

namespace cfdmark {

// K: a kernel whose step is a sweep. The methods for this have the names, the settings and the bits of K's
// own of several sweeps.
template <class K>
struct SweepsAndResidual {
  // What is written has ghosts that are those of u.
  CellArgs<K> sweeps;
  // In the backend's memory, for the sum of (b - A u)^2 over all cells, u as the last sweep leaves it:
  // ResidualSquare of it. On hosts with the same bits.
  double* square = nullptr;
};

// The cost of a sweep of so many, with its share of the residual's arithmetic; and where the residual begins
// passes of its own, with what such a pass reads: what one of a sweep, `of_a_pass`, does.
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
