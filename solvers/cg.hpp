// Conjugate gradients, as Hestenes and Stiefel wrote them (Normore 2010, algorithms 2.6 and 2.7).
#pragma once

#include <memory>

#include "kernels/core/config.hpp"
#include "solvers/solver.hpp"
#include "solvers/system.hpp"

namespace cfdmark {

enum class Preconditioner {
  none,
  red_black  // a symmetric red-black Gauss-Seidel sweep (red, black, red) from zero
};

// Textbook operations, one kernel each; the two coefficients stay in the backend's memory, and the host looks
// at the residual every check_interval iterations.
std::unique_ptr<Solver> cg_solver(const System&, Preconditioner, const Config&);

// Of the fused method on CUDA: cells a thread in the pass that makes the direction. Where it computes the
// direction anew at every neighbour (constant coefficients) it wants longer columns than the update.
inline const Setting direction_cells_setting{
    "direction_cells", {2, 4, 8}, 8, "cells of a column that a thread of the direction pass takes"};

// The same iterations in two kernels each (kernels/cg_iteration), without a preconditioner.
std::unique_ptr<Solver> fused_cg_solver(const System&, const Config&);

}  // namespace cfdmark
