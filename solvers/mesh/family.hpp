#pragma once

#include "solvers/base/family.hpp"

namespace cfdmark {

// Solvers and problems on unstructured meshes.
Family mesh_family();

}  // namespace cfdmark
