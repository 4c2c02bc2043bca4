// Successive over-relaxation in red-black order.
#pragma once

#include "kernels/core/grid.hpp"
#include "kernels/core/operator.hpp"

namespace cfdmark {

// Returns the over-relaxation factor with the fastest convergence on a box with these couplings along x, y
// and z (Young's formula). On the model problem, with equal sides and couplings, it is 2 / (1 + sin(pi h))
// (Normore 2010, equation 43).
double optimal_omega(const Grid&, const Operator& weights);

}  // namespace cfdmark
