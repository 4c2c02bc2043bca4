// A level of multigrid: how its grid becomes the next coarser one, and the operations that a cycle is made
// of. What lies around a system is known here and in Operations; a cycle does not ask.
#pragma once

#include <vector>

#include "kernels/grid_transfer/grid_transfer.hpp"
#include "kernels/red_black_sor/red_black_methods.hpp"
#include "solvers/linear/multigrid.hpp"

namespace cfdmark {

// How the settings of a cycle are called that its levels read.
namespace cycle_setting {
inline constexpr const char *omega = "omega", *smoother = "smoother", *coarsest_sweeps = "coarsest_sweeps";
}

// An operation that does nothing, under a routine's name.
Operation nothing(const System&, const char* routine);

// How a system's grid is coarsened, and the operator of the coarse one, whose arrays are made by a transfer.
// None if it is the coarsest: between periodic sides an odd number stays, and of a system that leaves a
// constant open two unknowns, or up to 27, stay.
Coarsening coarsening_of(const System&);
Operator coarse_operator(const System&, const Coarsening&);

class LevelOperations {
 public:
  // By a method of sweeps, or by the plain one where it cannot do the level or is not preferred.
  LevelOperations(const System&, const AnyView& scratch, const SmoothingMethod&, const Config&);

  // reversed: black before red.
  Operation smooth(int sweeps, bool reversed) const;
  // One unknown is solved by one sweep; more by many, back and forth.
  Operation solve_coarsest() const;
  double red_black_factor() const;

  // The residual of u, brought to the coarse grid.
  std::vector<Operation> restrict_residual(const AnyView& coarse, const Coarsening&) const;
  Operation transfer(TransferPass, const char* routine, const AnyView& fine, const AnyView& coarse,
                     const Operator& coarse_a, const Coarsening&) const;
  // What lies across the domain into the ghosts of the operator's arrays, which transfers read.
  std::vector<Operation> fill_operator_ghosts() const;

  // Whether so many sweeps can go in one pass that is a leg of a cycle. The field between the legs is the
  // scratch field.
  bool can_be_leg(int sweeps, const AnyView& coarse, const Coarsening&) const;
  // down: from u to the scratch field, and the residual to coarse; up: with the correction from coarse, back.
  Operation leg(CycleLeg, int sweeps, bool reversed, const AnyView& coarse) const;
  // Whether a block can do this level among others, ghosts not filled between.
  bool can_be_in_a_block() const;

 private:
  // A config with what the level's blocks are to be.
  template <class Args>
  Config with_blocks(Config, const std::string& kernel, const Method<Args>&) const;
  // By the kernel's default method.
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
