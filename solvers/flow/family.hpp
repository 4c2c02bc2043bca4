#pragma once

#include "solvers/base/family.hpp"

namespace cfdmark {

// Incompressible flows (solvers/problems/flow_problem.hpp).
Family flow_family();

}  // namespace cfdmark
