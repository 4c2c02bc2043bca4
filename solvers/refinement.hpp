// Iterative refinement: a 32-bit solver works on the correction, the residual and the solution are kept in 64
// bits.
#pragma once

#include <functional>
#include <memory>

#include "solvers/solver.hpp"
#include "solvers/system.hpp"

namespace cfdmark {

using InnerSolver = std::function<std::unique_ptr<Solver>(const System&)>;

// `outer` is the 64-bit system. Each round solves A e = r to a factor of inner_reduction in 32 bits, r scaled
// to norm 1, and adds e.
std::unique_ptr<Solver> refinement_solver(const System& outer, const LinearProblem&, const InnerSolver&,
                                          const Config&);

}  // namespace cfdmark
