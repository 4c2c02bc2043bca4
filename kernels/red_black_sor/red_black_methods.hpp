// What the methods written by hand share.
#pragma once

#include "kernels/backends/cell_kernel.hpp"
#include "kernels/backends/no_source.hpp"
#include "kernels/grid_transfer/grid_transfer_bodies.hpp"
#include "kernels/red_black_sor/red_black_sor.hpp"
#include "kernels/residual/sweeps_and_residual.hpp"

namespace cfdmark {

using RedBlackArgs = CellArgs<RedBlackSor>;

// In the natural layout each half sweep drags every line of u and b (and of the coefficients): u is read and
// written and the rest read, twice. With the colours in separate arrays each value of b and of the
// coefficients is read once, and u once and a half, its own colour written. Fused: both colours in one pass
// over the natural layout, everything read once and u written once; only for red_black.
Cost red_black_split_cost(const RedBlackArgs&);
template <class K>
Cost red_black_fused_cost(const CellArgs<K>& args) {
  Cost cost = cell_cost(args);
  cost.bytes /= args.kernel.parts();
  return cost;
}
// Of each part of a step, in turn: (i + j + k) & 1 of the cells that it updates.
template <class K>
std::vector<int> colours_of(const CellArgs<K>& args) {
  std::vector<int> colours;
  for (const K& part : parts_of(args)) colours.push_back(part.colour);
  return colours;
}
// Why a method that makes one pass cannot do these args; empty if it can.
template <class K>
std::string only_red_black(const CellArgs<K>& args) {
  return args.kernel.order == ColourOrder::red_black ? ""
                                                     : "one pass does red, then black, and no other order";
}
// The right-hand side of values stored as S: a view of b, or what stands for none.
template <class S, class K>
auto source_of([[maybe_unused]] const CellArgs<K>& args) {
  if constexpr (std::is_same_v<K, RedBlackLaplace>)
    return NoSource{};
  else
    return args.fields.b.template as<const S>();
}

// By config's `sweeps`. None where no method of a backend leaves the residual's norm, too.
Methods<SweepsAndResidual<RedBlackSor>> red_black_with_residual(BackendKind);

// What a pass of sweeps does besides, as a leg of a multigrid cycle (kernels/grid_transfer), for a constant
// operator on a grid that is coarsened in both directions:
//   down   afterwards coarse = P^T (b - A u)
//   up     first u + P coarse
enum class CycleLeg { none, down, up };

// Several sweeps in one pass from one field to another, which gets the ghosts too.
struct RedBlackPass {
  RedBlackArgs sweep;
  AnyView to;
  CycleLeg leg = CycleLeg::none;
  AnyView coarse;  // of a leg: b of the coarse grid, or its u, whose ghosts count as 0
};
// By config's `sweeps`. None where no backend has such.
Methods<RedBlackPass> red_black_passes(BackendKind);

// A V-cycle of multigrid over small grids, from u and b of the first: sweeps down, residuals and their sums
// on the next, and back, as the kernels that do these passes alone leave it.
struct SmallCycle {
  struct Level {
    Operator a;  // constant, edged or not, on all levels, or arrays on all
    AnyView u, b;
    AnyView r;      // for residuals, 0 in the ghosts
    Coarsening by;  // to the next level
  };
  Precision precision = Precision::fp64;
  std::vector<Level> levels;
  double omega = 1;
  int nu1 = 2, nu2 = 2, coarsest_sweeps = 20;
  bool symmetric = false;  // sweeps up begin with the other colour
};
// All in one launch. None where no backend has such.
Methods<SmallCycle> red_black_small_cycles(BackendKind);

Methods<RedBlackArgs> red_black_serial();
Methods<RedBlackArgs> red_black_openmp();
Methods<RedBlackArgs> red_black_cuda();
Methods<CellArgs<RedBlackLaplace>> red_black_laplace_serial();
Methods<CellArgs<RedBlackLaplace>> red_black_laplace_openmp();
Methods<CellArgs<RedBlackLaplace>> red_black_laplace_cuda();
Methods<SweepsAndResidual<RedBlackSor>> red_black_with_residual_cuda();
Methods<RedBlackPass> red_black_passes_cuda();
Methods<SmallCycle> red_black_small_cycles_cuda();

}  // namespace cfdmark
