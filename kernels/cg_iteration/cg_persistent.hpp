// Conjugate gradients on CUDA in one launch: many iterations by blocks that are all resident at once and keep
// their cells (cg_persistent.cu). For plane grids that the device holds in its registers and shared memory.
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
  AnyView r, p, u;  // read and written; r and the direction p with their ghost layers, which are 0
  // In the device's memory, read and written: r . r, the one before (infinity before the first iteration),
  // and how many iterations the last launch made.
  double *rho = nullptr, *rho_before = nullptr, *iterations = nullptr;
  // Of the next launch: iterations at the most, and the part of r . r at its start at which it ends.
  std::shared_ptr<int> most;
  std::shared_ptr<double> reduction;
};

TuningSpace cg_persistent_space();

// Whether the first CUDA device holds such a grid with one block a multiprocessor. Then an iteration takes a
// third of the two passes' time or less (results/nvidia-h200).
bool prefers_cg_persistent(const Grid&, Precision);

// Throws std::invalid_argument if the device does not hold the grid. The backend must be a CudaBackend.
Step prepare_cg_persistent(Backend&, const CgPersistentArgs&, const Config&);

}  // namespace cfdmark
