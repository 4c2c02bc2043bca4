// Facts of a domain that only its file has, such as the number of cells.
#pragma once

#include "kernels/core/domain.hpp"

namespace cfdmark {

// Returns a mesh or matrix with what is known once it was read or made, and a grid unchanged. Throws
// MeshFileError and std::invalid_argument as known(MeshRef) and known(MatrixRef) do.
Domain known(const Domain&);

}  // namespace cfdmark
