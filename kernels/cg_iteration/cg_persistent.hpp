// Conjugate gradients on CUDA with many iterations per launch: all blocks are resident at once and keep their
// cells (cg_persistent.cu). For 2-D grids that fit in the device's registers and shared memory.
#pragma once

#include <memory>

#include "kernels/core/method.hpp"
#include "kernels/core/operator.hpp"
#include "kernels/core/step.hpp"

namespace cfdmark {

class Backend;

struct CgPersistentArgs {
  Precision precision = Precision::fp64;
  Operator a;
  AnyView r, p, u;  // read and written; r and the direction p include ghosts, which are 0
  // In device memory, read and written: r . r, its previous value (infinity before the first iteration), and
  // the number of iterations of the last launch.
  double *rho = nullptr, *rho_before = nullptr, *iterations = nullptr;
  // For the next launch: maximum of iterations, and the ratio of r . r to its initial value at which it ends.
  std::shared_ptr<int> most;
  std::shared_ptr<double> reduction;
};

// Returns the settings block_y, kept_cells and sums.
TuningSpace cg_persistent_space();

// Returns true if the grid fits on the first CUDA device with one block per multiprocessor, where this method
// is fastest.
bool prefers_cg_persistent(const Grid&, Precision);

// Returns a step with one launch. Throws std::invalid_argument if the device cannot hold the grid. The
// backend must be a CudaBackend.
Step prepare_cg_persistent(Backend&, const CgPersistentArgs&, const Config&);

}  // namespace cfdmark
