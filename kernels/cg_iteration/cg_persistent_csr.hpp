// Conjugate gradients on a sparse matrix on CUDA with many iterations per launch: all blocks are resident at
// once and keep their rows of all vectors in shared memory (cg_persistent_csr.cu).
#pragma once

#include <memory>
#include <span>

#include "kernels/core/method.hpp"
#include "kernels/core/operator.hpp"
#include "kernels/core/step.hpp"

namespace cfdmark {

class Backend;

struct CsrPersistentArgs {
  Precision precision = Precision::fp64;
  // The matrix on the host, square and symmetric; read only while the step is prepared.
  std::span<const int> row_begin, column;
  std::span<const double> value;
  AnyView r, u;  // flat; read and written
  // In device memory, read and written: r . r, its previous value (infinity before the first iteration), and
  // the number of iterations of the last launch.
  double *rho = nullptr, *rho_before = nullptr, *iterations = nullptr;
  // For the next launch: maximum of iterations, and the ratio of r . r to its initial value at which it ends.
  std::shared_ptr<int> most;
  std::shared_ptr<double> reduction;
};

// Returns the setting of the threads of a block.
TuningSpace csr_persistent_space();

// Returns true if this number of rows fits on the first CUDA device, with an eighth more for neighbours in
// other blocks.
bool fits_csr_persistent(Index rows, Precision);

// Returns a step with one launch. Throws std::invalid_argument if the device cannot hold the vectors: rows
// with neighbours far away in the numbering need more memory. The backend must be a CudaBackend.
Step prepare_csr_persistent(Backend&, const CsrPersistentArgs&, const Config&);

}  // namespace cfdmark
