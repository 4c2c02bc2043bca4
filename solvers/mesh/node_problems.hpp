// Problems at the nodes of a mesh.
#pragma once

#include <vector>

#include "solvers/base/family.hpp"

namespace cfdmark {

std::vector<FamilyProblem> node_problems();

}  // namespace cfdmark
