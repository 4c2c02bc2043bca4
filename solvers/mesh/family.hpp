// The family of solvers on meshes: conjugate gradients and BiCGStab at the nodes.
#pragma once

#include "solvers/base/family.hpp"

namespace cfdmark {

Family mesh_family();

}  // namespace cfdmark
