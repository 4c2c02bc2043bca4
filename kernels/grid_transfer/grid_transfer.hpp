// Between a grid and the next coarser one of multigrid:
//
//   restriction           coarse = P^T fine
//   prolongation          fine = fine + P coarse
//   operator_coarsening   the coarse grid's coefficient arrays, from the fine grid's operator
//
// Any number of points can be coarsened, in each direction by itself: the coarse points are the fine ones of
// odd index, so that the finest values of a jump in the coefficients are never asked between two points. Of
// an odd number the coarse points are spaced evenly again. Of an even number the last one lies half as far
// from the boundary as the others lie from each other. The factor of a cycle is then that of odd numbers,
// where an evenly spaced coarse grid between the fine points doubled it.
//
// A constant operator stays constant, but that the last points of an even number are coupled to the boundary
// by more (EdgedStencil). They have fewer fine lines beside them, too, and their equations should be by that
// much smaller. Both is so in arrays (operator_coarsening); left out it changes the factor of a cycle by a
// tenth at most, for a solution is small so near to a boundary where it is 0.
//
// P weighs the two coarse neighbours of a point by what the operator couples it to them: half and half where
// it is constant, almost one alone beside a jump or at a wall that nothing passes. Its transpose weighs as it
// sums, without a factor: coarse equations are sums of fine ones (a constant operator's weights:
// coarse_constant()).
#pragma once

#include <array>

#include "kernels/backends/timed_problem.hpp"
#include "kernels/grid_transfer/grid_transfer_bodies.hpp"

namespace cfdmark {

enum class TransferPass { restriction, prolongation, operator_coarsening };

struct GridTransferArgs {
  Precision precision = Precision::fp64;
  TransferPass pass = TransferPass::restriction;
  Grid fine_grid;
  Coarsening by;
  Operator a;            // of the fine grid
  AnyView fine, coarse;  // what is between them is 0 in the ghosts; operator_coarsening looks at neither
  Operator coarse_a;     // arrays; only for operator_coarsening
  // Along which axes the last fine cell is the first one's neighbour. Ghosts of what is read, the operator's
  // arrays too, hold what lies across; the number of cells is even where it is coarsened.
  std::array<bool, 3> periodic = {};

  const AnyView& written() const;
};

Grid coarse_grid(const Grid& fine, const Coarsening&);
// Every direction that has more than one point.
Coarsening full_coarsening(const Grid&);
// The coarse operator of a constant one, edged where a number of points that is coarsened is even.
Operator coarse_constant(const Operator&, const Grid& fine, const Coarsening&);

// Of a cell of the fine grid: it is read, or read and written; coarse values are a share of one; and of
// coefficient arrays those that the shares come from. operator_coarsening reads all arrays and writes the
// coarse ones.
Cost grid_transfer_cost(const GridTransferArgs&);
Methods<GridTransferArgs> grid_transfer_methods(BackendKind);
KernelDescription<GridTransferArgs> restriction_kernel();
KernelDescription<GridTransferArgs> prolongation_kernel();
KernelDescription<GridTransferArgs> operator_coarsening_kernel();

Methods<GridTransferArgs> grid_transfer_serial();
Methods<GridTransferArgs> grid_transfer_openmp();
Methods<GridTransferArgs> grid_transfer_kokkos();
Methods<GridTransferArgs> grid_transfer_cuda();

// Calls f(body) with the body of the pass in its types.
template <class F>
decltype(auto) with_transfer(const GridTransferArgs& args, F&& f) {
  return with_level_operator(
      args.precision, args.a, args.fine_grid,
      [&]<class S, class C, int dims, class A>(const A& a) -> decltype(auto) {
        switch (args.pass) {
          case TransferPass::restriction:
            return f(Restriction<S, C, dims, A>{a, args.fine.as<const S>(), args.coarse.as<S>(), args.by});
          case TransferPass::prolongation:
            return f(Prolongation<S, C, dims, A>{a, args.coarse.as<const S>(), args.fine.as<S>(), args.by});
          case TransferPass::operator_coarsening: break;
        }
        if constexpr (std::is_same_v<A, EdgedStencil<C>>) {
          throw std::logic_error("the coarse operator of an edged one is edged: coarse_constant()");
        } else {
          const Operator& to = args.coarse_a;
          const Grid& g = args.fine_grid;
          return f(OperatorCoarsening<S, C, dims, A>{a,
                                                     args.by,
                                                     to.west_a.as<S>(),
                                                     to.east_a.as<S>(),
                                                     to.south_a.as<S>(),
                                                     to.north_a.as<S>(),
                                                     to.bottom_a.as<S>(),
                                                     to.top_a.as<S>(),
                                                     to.centre_a.as<S>(),
                                                     {g.nx, g.ny, g.nz},
                                                     {args.periodic[0], args.periodic[1], args.periodic[2]}});
        }
      });
}

}  // namespace cfdmark
