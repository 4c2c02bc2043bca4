// Transfer between a grid and the next coarser one of multigrid:
//
//   restriction           coarse = P^T fine
//   prolongation          fine = fine + P coarse
//   operator_coarsening   the coarse grid's coefficient arrays, from the fine grid's operator
//
// Any number of points can be coarsened, in each direction separately. Coarse points are the fine points of
// odd index, so coefficients that jump need no interpolation. With an odd number of fine points, coarse
// points are evenly spaced. With an even number, the last coarse point is half as far from the boundary as
// coarse points are from each other; cycles then converge as for odd numbers.
//
// A constant operator stays constant, except that the last points of even numbers are coupled more strongly
// to the boundary (EdgedStencil). These points also represent fewer fine lines, so their equations should be
// scaled down. operator_coarsening does both for arrays. For constant operators the scaling is omitted, which
// hardly changes convergence: the solution is small next to a boundary where it is 0.
//
// P weights the two coarse neighbours of a point by its coupling to them: 1/2 each for a constant operator,
// almost one neighbour alone beside a jump or an impermeable wall. The transpose uses the same weights
// without a factor: coarse equations are sums of fine ones (weights of a constant operator:
// coarse_constant()).
#pragma once

#include <array>

#include "kernels/cells/timed_problem.hpp"
#include "kernels/grid_transfer/grid_transfer_bodies.hpp"

namespace cfdmark {

enum class TransferPass { restriction, prolongation, operator_coarsening };

struct GridTransferArgs {
  Precision precision = Precision::fp64;
  TransferPass pass = TransferPass::restriction;
  Grid fine_grid;
  Coarsening by;
  Operator a;            // of the fine grid
  AnyView fine, coarse;  // corrections and residuals are 0 in the ghosts; operator_coarsening uses neither
  Operator coarse_a;     // arrays; for operator_coarsening only
  // Axes along which the grid is periodic. Ghosts of all inputs, the operator's arrays included, then hold
  // the periodic values; the number of cells along a coarsened axis is even.
  std::array<bool, 3> periodic = {};

  // Returns the field that the pass writes; for operator_coarsening its centre array.
  const AnyView& written() const;
};

// Returns the coarse grid.
Grid coarse_grid(const Grid& fine, const Coarsening&);
// Returns the coarsening of every direction with more than one point.
Coarsening full_coarsening(const Grid&);
// Returns the coarse operator of a constant one; edged where a coarsened number of points is even.
Operator coarse_constant(const Operator&, const Grid& fine, const Coarsening&);

// Returns the declared cost. Per fine cell: the fine value is read, or read and written, with its share of
// the coarse values and the coefficient arrays that define the weights. operator_coarsening reads all arrays
// and writes the coarse ones.
Cost grid_transfer_cost(const GridTransferArgs&);
Methods<GridTransferArgs> grid_transfer_methods(BackendKind);
KernelDescription<GridTransferArgs> restriction_kernel();
KernelDescription<GridTransferArgs> prolongation_kernel();
KernelDescription<GridTransferArgs> operator_coarsening_kernel();

Methods<GridTransferArgs> grid_transfer_serial();
Methods<GridTransferArgs> grid_transfer_openmp();
Methods<GridTransferArgs> grid_transfer_kokkos();
Methods<GridTransferArgs> grid_transfer_cuda();

// Calls f(body) with the typed body of the pass and returns its result.
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
          throw std::logic_error(
              "operator_coarsening does not support edged operators: use coarse_constant()");
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
