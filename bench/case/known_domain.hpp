// Facts of a domain that only its file has, such as the number of cells.
#pragma once

#include <string>

#include "kernels/core/domain.hpp"

namespace cfdmark {

// Returns a mesh or matrix with what is known once it was read or made, and a grid unchanged. Throws
// MeshFileError and std::invalid_argument as known(MeshRef) and known(MatrixRef) do.
Domain known(const Domain&);

// Returns the system of --matrix and --rhs: a Matrix Market file NAME.mtx or the name of a generated matrix,
// and a file with b (empty: none). Throws std::invalid_argument with the fix for other names, and as known().
Domain asked_matrix(const std::string& matrix, const std::string& rhs);

}  // namespace cfdmark
