// Coarsening of an operator of which a rank has a part.
#pragma once

#include "kernels/core/partition.hpp"
#include "kernels/core/step.hpp"
#include "kernels/device/backend.hpp"
#include "kernels/grid_transfer/grid_transfer.hpp"

namespace cfdmark {

// Returns a step of operator_coarsening for a box of coarse cells. The arrays of the args are indexed as
// those of the whole domain, so that cells find its sides; `fine_grid` is that of the whole domain.
Step coarsening_of_part(Backend&, const GridTransferArgs&, const CellBox& coarse);
// The same on CUDA.
Step coarsening_of_part_on_cuda(Backend&, const GridTransferArgs&, const CellBox& coarse);

}  // namespace cfdmark
