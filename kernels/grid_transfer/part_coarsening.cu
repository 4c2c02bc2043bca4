// Device code of part_coarsening.hpp: one thread per coarse cell of the part. NVRTC reads this file, so it
// includes no standard header.
#include "kernels/device/cuda/primitives/device.cuh"
#include "kernels/grid_transfer/grid_transfer_bodies.hpp"
#include "kernels/grid_transfer/part_coarsening.cuh"

namespace cfdmark {

template <class Body, int most_threads>
__global__ void __launch_bounds__(most_threads, 1) coarsen_part(Body body, CoarseBox box) {
  const Cell c = thread_cell<>();
  if (holds(box, c)) body(box.i + c.i, box.j + c.j, box.k + c.k);
}

}  // namespace cfdmark
