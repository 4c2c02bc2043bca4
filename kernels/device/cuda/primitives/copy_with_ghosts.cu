// Copies a field with one layer of ghosts. NVRTC reads this file, so it includes no standard header.
#include "kernels/device/cuda/primitives/device.cuh"

namespace cfdmark {

// One thread per cell including ghosts: the launch covers one more layer than the grid on each side.
template <class S, int dims>
__global__ void copy_with_ghosts(View<S> from, View<S> to) {
  constexpr int below = dims == 3;
  const Cell c = thread_cell<>();
  if (c.i <= from.nx + 1 && c.j <= from.ny + 1)
    to(c.i - 1, c.j - 1, c.k - below) = from(c.i - 1, c.j - 1, c.k - below);
}

}  // namespace cfdmark
