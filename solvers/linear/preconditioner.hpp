// Preconditioners of the Krylov methods: z = r / M, M near A.
#pragma once

#include <memory>

#include "solvers/linear/multigrid.hpp"

namespace cfdmark {

enum class PreconditionerKind {
  none,
  red_black,  // a symmetric red-black Gauss-Seidel sweep (red, black, red) from zero
  multigrid   // a symmetric cycle from zero
};

class Preconditioner {
 public:
  // Of a system's operator, whose b and u are r and z. None: it does nothing, and z should be r. symmetric: M
  // is where A is, but for the rounding of a cycle in 32 bits.
  Preconditioner(PreconditionerKind, const System&, const Config&, bool symmetric);

  void start() const;  // the operator's values may have changed
  void operator()() const;
  Cost cost() const;        // of one
  Cost start_cost() const;  // of start()
  Resources resources() const;

 private:
  // Where the cycle is in 32 bits and the rest is not: its system, and what goes there and back.
  std::unique_ptr<OwnedSystem> narrow_;
  std::vector<Operation> narrow_operator_;
  Operation narrow_r_, widen_z_;
  Operation clear_, sweep_;
  std::unique_ptr<MultigridCycle> cycle_;
};

// A method of a Krylov solver with a preconditioner. `name`: of none and of red_black, in the solver's own
// word. make(system, config) makes the iteration. Nothing on a backend without kernels.
std::vector<SolverMethod> preconditioned_method(
    BackendKind, const std::string& name, PreconditionerKind,
    std::function<std::unique_ptr<Iteration>(const System&, const Config&)> make,
    SourcePlace where = SourcePlace::here());

}  // namespace cfdmark
