// Successive over-relaxation, red-black.
#pragma once

#include "kernels/core/grid.hpp"
#include "kernels/core/operator.hpp"

namespace cfdmark {

// The factor that makes SOR converge fastest on a box with these couplings along x, y and z. On the model
// problem, where sides and couplings are equal, it is 2 / (1 + sin(pi h)), Normore 2010, equation 43.
double optimal_omega(const Grid&, const Operator& weights);

}  // namespace cfdmark
