// Preconditioners of the Krylov methods: z = M^-1 r with M near A.
#pragma once

#include <memory>

#include "solvers/linear/multigrid/multigrid.hpp"

namespace cfdmark {

enum class PreconditionerKind {
  none,
  diagonal,   // z = r / diagonal of A; the only one for operators without a stencil
  red_black,  // a symmetric red-black Gauss-Seidel pass (red, black, red) from z = 0
  multigrid   // a symmetric multigrid cycle from z = 0
};

class Preconditioner {
 public:
  // `system` holds the operator, r as its b and z as its u. For `none` nothing is done, and z should be r
  // itself. symmetric: M is symmetric if A is, apart from the rounding of a cycle in 32 bits.
  Preconditioner(PreconditionerKind, const System&, const Config&, bool symmetric);

  void start() const;       // recomputes what depends on the operator's values
  void operator()() const;  // z = M^-1 r
  Cost cost() const;        // of one application
  Cost start_cost() const;  // of start()
  Resources resources() const;

 private:
  void invert_diagonal() const;

  // With preconditioner_precision=fp32 in a 64-bit solver: the system of the cycle and the copies to and from
  // it.
  std::unique_ptr<OwnedSystem> narrow_;
  std::vector<Operation> narrow_operator_;
  Operation narrow_r_, widen_z_;
  Field inverse_diagonal_;
  Operation diagonal_, clear_, sweep_;
  std::unique_ptr<MultigridCycle> cycle_;
};

// Returns the method of a Krylov solver with a preconditioner; none on a backend without kernels.
// make(system, config) makes its iteration.
std::vector<SolverMethod> preconditioned_method(
    BackendKind, const std::string& name, PreconditionerKind,
    std::function<std::unique_ptr<Iteration>(const System&, const Config&)> make,
    SourcePlace where = SourcePlace::here());

}  // namespace cfdmark
