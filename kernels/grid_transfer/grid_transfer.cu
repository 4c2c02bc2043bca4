// Device code of grid_transfer.hpp: one thread a cell of the grid that is written. NVRTC reads this file: no
// standard header here.
#include "kernels/backends/device.cuh"
#include "kernels/core/cell.hpp"
#include "kernels/grid_transfer/grid_transfer_bodies.hpp"

namespace cfdmark {

template <class Body, int block_x, int block_y, int block_z>
__global__ void __launch_bounds__(threads_of<block_x, block_y, block_z>, 1)
    grid_transfer(Body body, Cells cells) {
  const Cell c = thread_cell<block_x, block_y, block_z>();
  if (holds(cells, c)) body(c.i, c.j, c.k);
}

}  // namespace cfdmark
