// Iterative refinement: a 32-bit solver works on the correction, the residual and the solution are kept in 64
// bits.
#pragma once

#include <memory>

#include "solvers/linear/method.hpp"

namespace cfdmark {

// `outer` is the 64-bit system. Each round solves A e = r in 32 bits by the method, r scaled to norm 1, until
// rounding would stop it, and adds e. The config is the method's.
std::unique_ptr<Iteration> refinement(const System& outer, const SolverMethod&, const Config&);

}  // namespace cfdmark
