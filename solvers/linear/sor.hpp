// Successive over-relaxation, red-black.
#pragma once

#include "kernels/core/grid.hpp"

namespace cfdmark {

// The factor that makes SOR converge fastest on the model problem: 2 / (1 + sin(pi h)), Normore 2010,
// equation 43. h is the mesh width of the coarsest direction.
double optimal_omega(const Grid&);

}  // namespace cfdmark
