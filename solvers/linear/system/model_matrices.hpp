// Matrices like those of computational fluid dynamics, of any size: what a solver must cope with, without a
// mesh or a file.
#pragma once

#include <string>
#include <vector>

#include "solvers/linear/system/csr.hpp"

namespace cfdmark {

struct ModelMatrix {
  std::string name;
  std::string help;   // one line
  bool is_symmetric;  // and positive definite
  // Returns the matrix on n cells per side of the unit square or cube; n is at least 2.
  CsrMatrix<double> (*make)(int n);
  int dims = 2;
};

const std::vector<ModelMatrix>& model_matrices();

// Returns the one of this name. Throws std::invalid_argument with the names if there is none.
const ModelMatrix& model_matrix(const std::string& name);

}  // namespace cfdmark
