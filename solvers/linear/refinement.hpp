// Iterative refinement: a 32-bit solver computes corrections; residual and solution are kept in 64 bits.
#pragma once

#include <memory>

#include "solvers/linear/system/method.hpp"

namespace cfdmark {

// Returns the iteration on `outer`, the 64-bit system. Each round scales r to norm 1, solves A e = r in 32
// bits by the method up to the limit of its rounding, and adds e. `config` is that of the method.
std::unique_ptr<Iteration> refinement(const System& outer, const SolverMethod&, const Config&);

}  // namespace cfdmark
