// Device code of grid_transfer.hpp: one thread per cell of the written grid. NVRTC reads this file, so it
// includes no standard header.
#include "kernels/cells/cell.hpp"
#include "kernels/device/cuda/primitives/device.cuh"
#include "kernels/grid_transfer/grid_transfer_bodies.hpp"

namespace cfdmark {

template <class Body, int most_threads>
__global__ void __launch_bounds__(most_threads, 1) grid_transfer(Body body, Cells cells) {
  const Cell c = thread_cell<>();
  if (holds(cells, c)) body(c.i, c.j, c.k);
}

}  // namespace cfdmark
