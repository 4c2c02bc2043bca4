// Successive over-relaxation, red-black.
#pragma once

#include "kernels/core/config.hpp"
#include "kernels/core/grid.hpp"

namespace cfdmark {

// The factor that makes SOR converge fastest on the model problem: 2 / (1 + sin(pi h)), Normore 2010,
// equation 43. h is the mesh width of the coarsest direction.
double optimal_omega(const Grid&);

// SOR's over-relaxation, where it is not the optimal one: 0 < omega < 2. A config keeps it in millionths.
void set_omega(Config&, double omega);
// Whether a method over-relaxes.
bool has_omega(const TuningSpace&);

}  // namespace cfdmark
