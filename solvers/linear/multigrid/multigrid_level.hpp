// Chooses the next coarser grid of a multigrid level, and makes the operations of a cycle on that level.
// Boundary conditions are handled here and in Operations, so the cycle itself does not depend on them.
#pragma once

#include <vector>

#include "kernels/grid_transfer/grid_transfer.hpp"
#include "kernels/red_black_sor/red_black_methods.hpp"
#include "solvers/linear/multigrid/multigrid.hpp"

namespace cfdmark {

// Names of the cycle's settings that its levels read.
namespace cycle_setting {
inline constexpr const char *omega = "omega", *smoother = "smoother", *coarsest_sweeps = "coarsest_sweeps";
}

// Returns an operation that does nothing, with a routine's name.
Operation nothing(const System&, const char* routine);

// Returns how a grid is coarsened; nothing if it is the coarsest. A periodic axis with an odd number of
// points is not coarsened. A singular system keeps at least two unknowns.
Coarsening coarsening_of(const Grid&, const Operator&, const Sides&);
// Returns the operator of the coarse grid: its constant weights, or the form of its arrays, which a transfer
// fills.
Operator coarse_operator(const Grid&, const Operator&, const Sides&, const Coarsening&);

class LevelOperations {
 public:
  // Uses the given smoothing method, or the plain one if it does not support the level or is not preferred
  // there.
  LevelOperations(const System&, const AnyView& scratch, const SmoothingMethod&, const Config&);

  // Returns `sweeps` smoothing passes. reversed: red-black passes update black cells before red ones.
  Operation smooth(int sweeps, bool reversed) const;
  // Returns the solve on the coarsest grid. One unknown is solved exactly by one pass. More unknowns are
  // solved approximately by coarsest_sweeps passes, half of them reversed.
  Operation solve_coarsest() const;
  double red_black_factor() const;

  // Computes the residual of u and restricts it to the coarse grid. On ranks, `coarse` has the coarse points
  // of this rank's part, here and in the other functions.
  std::vector<Operation> restrict_residual(const AnyView& coarse, const Coarsening&) const;
  Operation transfer(TransferPass, const char* routine, const AnyView& fine, const AnyView& coarse,
                     const Operator& coarse_a, const Coarsening&) const;
  // Adds the correction of the coarse system to u.
  Operation prolong(const System& coarse_system, const AnyView& coarse, const Coarsening&) const;
  // The same for a coarse field whose ghosts are filled.
  Operation prolong_filled(const AnyView& coarse, const Coarsening&) const;
  // Fills the ghosts of the operator's arrays across periodic sides and cuts, which transfers read.
  std::vector<Operation> fill_operator_ghosts() const;

  // Returns true if `sweeps` smoothing passes fit into one fused leg of a cycle: smoothing with restriction,
  // or correction with smoothing. Between the two legs u is in the scratch field.
  bool can_be_leg(int sweeps, const AnyView& coarse, const Coarsening&) const;
  // down: smooths u into the scratch field and restricts the residual to `coarse`. up: adds the correction
  // from `coarse` and smooths back into u.
  Operation leg(CycleLeg, int sweeps, bool reversed, const AnyView& coarse) const;
  // Returns true if one thread block can process this level together with others. Such a block fills no
  // periodic ghosts.
  bool can_be_in_a_block() const;

 private:
  // Returns the config with the level's block shape.
  template <class Args>
  Config with_blocks(Config, const std::string& kernel, const Method<Args>&) const;
  // Prepares the kernel's default method.
  template <class K>
  Operation by_default(const char* routine, const CellArgs<K>&) const;
  double omega_or(double best) const;
  CellArgs<RedBlackSor> sweep_args(const AnyView& u, double omega, bool reversed) const;
  RedBlackPass leg_args(CycleLeg, const AnyView& other, const AnyView& coarse, bool reversed) const;
  Config of_pass(const Method<RedBlackPass>&, int sweeps) const;
  Methods<RedBlackPass> methods_of_passes() const;
  Operation red_black(int sweeps, double omega, bool reversed, const char* routine) const;
  Operation damped_jacobi() const;

  System system_;
  AnyView scratch_;
  SmoothingMethod sweep_;
  Config config_, threads_;
};

}  // namespace cfdmark
