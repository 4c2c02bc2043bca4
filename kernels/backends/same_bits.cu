// Whether two fields hold the same bits. NVRTC reads this file: no standard header here.
#include "kernels/backends/device.cuh"

namespace cfdmark {

// Rows of `words` 32-bit words, `rows` a plane; pitch and plane in words. Blocks take rows in turn. Sets
// *differ where a word differs, and leaves it alone otherwise.
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
