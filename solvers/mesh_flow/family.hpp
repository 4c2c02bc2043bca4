// The family of flows on meshes: classical and exact fractional steps.
#pragma once

#include "solvers/base/family.hpp"

namespace cfdmark {

Family mesh_flow_family();

}  // namespace cfdmark
