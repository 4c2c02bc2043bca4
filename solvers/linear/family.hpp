#pragma once

#include "solvers/base/family.hpp"

namespace cfdmark {

// Linear systems of stencils with five or seven coefficients (solvers/problems/problem.hpp).
Family linear_family();

}  // namespace cfdmark
