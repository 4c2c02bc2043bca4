// A linear solver in any precision, and the verdict on its answer.
//
// Iterative refinement: a solver in 32 bits, or with a matrix in 32 bits, computes corrections; residual and
// solution are kept in 64 bits.
#pragma once

#include <memory>

#include "solvers/base/convergence.hpp"
#include "solvers/base/solver.hpp"
#include "solvers/linear/system/method.hpp"

namespace cfdmark {

// Returns the iteration on `outer`, the 64-bit system. Each round scales r to norm 1, solves A e = r in 32
// bits by the method up to the limit of its rounding, and adds e. `config` is that of the method. `inner`:
// the operator of the corrections, a rounded A in the memory of the same backend, whose vectors then have 64
// bits; null: A with all values in 32 bits.
std::unique_ptr<Iteration> refinement(const System& outer, const SolverMethod&, const Config&,
                                      std::shared_ptr<const LinearOperator> inner = nullptr);

// Returns the precision of b, x and the residual: 64 bits if the precision is mixed.
inline Precision outer_precision(Precision p) { return p == Precision::mixed ? Precision::fp64 : p; }
// Returns the solver of a system by a method; refinement if the precision is mixed. `config` is complete.
std::unique_ptr<Solver> linear_solver(const System&, const SolverMethod&, Precision, const Config&);
// Throws std::invalid_argument with the reason if the method does not support such a system.
void require_supported(const SolverMethod&, const SystemShape&);

// Norms of a solve, computed on the host in double precision. Norms are Euclidean.
struct LinearNorms {
  double first = 0, last = 0;   // of the residual of the initial guess and of the answer
  double largest_diagonal = 0;  // magnitude
  double norm_of_answer = 0;
};
// Returns the verdict on a solve in a precision.
Judgement judge_linear(const Outcome&, const LinearNorms&, Precision, double tolerance);

}  // namespace cfdmark
