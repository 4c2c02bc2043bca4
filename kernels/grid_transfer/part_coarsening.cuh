// The argument of part_coarsening.cu. NVRTC reads this file, so it includes no standard header.
#pragma once

namespace cfdmark {

// A box of cells of the coarse grid of the whole domain.
struct CoarseBox {
  int i, j, k, nx, ny, nz;
};

}  // namespace cfdmark
