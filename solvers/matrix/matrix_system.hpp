// The system A x = b of a MatrixRef: A made or read from a file, b read from a file or A x of a known x.
#pragma once

#include <memory>

#include "kernels/core/domain.hpp"
#include "solvers/linear/matrix_solve.hpp"

namespace cfdmark {

struct MatrixSystem : MatrixProblem {
  MatrixRef ref;  // known()
};

// Returns the reference with its checksums, rows, entries, symmetry and diagonal. Makes or reads the system.
// Throws MatrixFileError for a file that cannot be used, such as one with an empty row, and
// std::invalid_argument for an unknown generated matrix, or a file whose checksum is not the required one.
MatrixRef known(const MatrixRef&);

// Returns the system. The last one is kept and shared. Without a file b is A x of a pseudo-random x between
// 0.5 and 1.5, the same in every run, and the results contain the error of the answer. Throws as known()
// does. Not for use by several threads at once.
std::shared_ptr<const MatrixSystem> matrix_system(const MatrixRef&);

}  // namespace cfdmark
