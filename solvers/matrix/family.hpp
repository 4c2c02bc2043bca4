// The family of solvers of one's own system A x = b: a matrix from a file, or a generated one.
#pragma once

#include <string>

#include "solvers/base/family.hpp"

namespace cfdmark {

Family matrix_family();

// A solver for a matrix, and why.
struct SuitableSolver {
  std::string name, why;
};
// Returns matrix_pcg for a symmetric matrix whose diagonal has one sign, else matrix_bicgstab. The matrix
// must be known().
SuitableSolver suitable_solver(const MatrixRef&);

}  // namespace cfdmark
