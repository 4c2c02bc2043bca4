// Compares two fields bit by bit. NVRTC reads this file, so it includes no standard header.
#include "kernels/device/cuda/primitives/device.cuh"

namespace cfdmark {

// Compares `rows` rows of `words` 32-bit words per plane; pitch and plane in words. Each block takes every
// gridDim.x-th row. Sets *differ if a word differs, else leaves it unchanged.
template <int threads>
__global__ void __launch_bounds__(threads)
    same_bits(const unsigned* a, const unsigned* b, int words, int rows, int planes, Index pitch, Index plane,
              unsigned* differ) {
  for (int row = blockIdx.x; row < rows * planes; row += gridDim.x) {
    const Index first = row / rows * plane + row % rows * pitch;
    bool differs = false;
    for (int word = threadIdx.x; word < words; word += threads)
      differs = differs || a[first + word] != b[first + word];
    if (differs) *differ = 1;
  }
}

}  // namespace cfdmark
