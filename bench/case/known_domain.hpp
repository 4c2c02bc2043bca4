// What only the file of a domain says, such as its number of cells.
#pragma once

#include "kernels/core/domain.hpp"

namespace cfdmark {

// Returns a mesh or matrix with what is known once it was read or made, and a grid unchanged. Throws
// MeshFileError and std::invalid_argument as known(MeshRef) and known(MatrixRef) do.
Domain known(const Domain&);

}  // namespace cfdmark
