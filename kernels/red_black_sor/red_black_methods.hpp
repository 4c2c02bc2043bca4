// Shared parts of the hand-tuned methods.
#pragma once

#include "kernels/cells/cell_kernel.hpp"
#include "kernels/device/cuda/primitives/zero_rhs.hpp"
#include "kernels/grid_transfer/grid_transfer_bodies.hpp"
#include "kernels/red_black_sor/red_black_sor.hpp"
#include "kernels/residual/sweeps_and_residual.hpp"

namespace cfdmark {

using RedBlackArgs = CellArgs<RedBlackSor>;

// Returns the cost of separate arrays per colour. In the natural layout each half-step moves every line of u,
// b and the coefficients: u is read and written and the rest is read, twice. With separate arrays, b and the
// coefficients are read once per iteration, u is read once and a half and written for its own colour.
Cost red_black_split_cost(const RedBlackArgs&);
// Returns the cost of both colours in one pass over the natural layout: everything is read once and u written
// once. For red_black only.
template <class K>
Cost red_black_fused_cost(const CellArgs<K>& args) {
  Cost cost = cell_cost(args);
  cost.bytes /= args.kernel.parts();
  return cost;
}
// Returns the colours that the parts of a step update, in order: (i + j + k) & 1 of their cells.
template <class K>
std::vector<int> colours_of(const CellArgs<K>& args) {
  std::vector<int> colours;
  for (const K& part : parts_of(args)) colours.push_back(part.colour);
  return colours;
}
// Returns why a one-pass method does not support these args; empty if it does.
template <class K>
std::string only_red_black(const CellArgs<K>& args) {
  return args.kernel.order == ColourOrder::red_black ? "" : "one pass supports the order red_black only";
}
// Returns the right-hand side for values stored as S: a view of b, or ZeroRhs.
template <class S, class K>
auto source_of([[maybe_unused]] const CellArgs<K>& args) {
  if constexpr (std::is_same_v<K, RedBlackLaplace>)
    return ZeroRhs{};
  else
    return args.fields.b.template as<const S>();
}

// Returns methods that perform config's `sweeps` iterations and compute the residual norm; empty if the
// backend has none.
Methods<SweepsAndResidual<RedBlackSor>> red_black_with_residual(BackendKind);

// Additional work of a pass as one half of a multigrid level (kernels/grid_transfer), for a constant operator
// on a grid coarsened in both directions:
//   down   afterwards coarse = P^T (b - A u)
//   up     before, u + P coarse
enum class CycleLeg { none, down, up };

// Several iterations in one pass from one field to another, ghosts included.
struct RedBlackPass {
  RedBlackArgs sweep;
  AnyView to;
  CycleLeg leg = CycleLeg::none;
  AnyView coarse;  // down: b of the coarse grid; up: its u, whose ghosts count as 0
};
// Returns methods that perform config's `sweeps` iterations; empty if the backend has none.
Methods<RedBlackPass> red_black_passes(BackendKind);

// A V-cycle of multigrid over small grids, from u and b of the first level: relaxation, restriction of
// residuals, and back. Results equal those of the separate kernels.
struct SmallCycle {
  struct Level {
    Operator a;  // constant (edged or not) on all levels, or arrays on all
    AnyView u, b;
    AnyView r;      // workspace for residuals, 0 in the ghosts
    Coarsening by;  // to the next level
  };
  Precision precision = Precision::fp64;
  std::vector<Level> levels;
  double omega = 1;
  int nu1 = 2, nu2 = 2, coarsest_sweeps = 20;
  bool symmetric = false;  // iterations on the way up start with the other colour
};
// Returns methods that perform a cycle in one launch; empty if the backend has none.
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
