// The part of a grid that a block of a wavefront (red_black_wavefront.cu) processes. NVRTC reads this file,
// so it includes no standard header.
#pragma once

#include "kernels/core/grid.hpp"
#include "kernels/red_black_sor/red_black_wavefront.hpp"

namespace cfdmark {

// A Wavefront as compile-time constants.
template <int pairs, int depth>
struct WavefrontOf {
  static constexpr Wavefront shape{pairs, depth};
};

// The part of a grid that a block processes: strips in x, parts of equal size in y. The first row is even if
// the colour updated first is 0, else odd.
template <class S, class Of>
struct WavefrontPlace {
  static constexpr Wavefront shape = Of::shape;
  static constexpr int bytes = int(sizeof(S)), width = 16 / bytes;

  int first_i;                   // first column of the strip
  int first_column, end_column;  // columns that this strip stores
  int first_row;                 // first row that arrives
  int stored_from, stored_to;    // range of rows that are stored
  int steps;

  __device__ WavefrontPlace(int nx, int ny, int first_colour, int ghosts) {
    const int strip = int(blockIdx.x), part = int(blockIdx.y), parts = int(gridDim.y);
    const int first_pack = strip * shape.own_packs(bytes) - shape.lead;
    first_i = first_pack * width;
    first_column = strip == 0 ? -ghosts : (first_pack + shape.edge_packs(bytes)) * width;
    end_column = strip + 1 == int(gridDim.x)
                     ? nx + ghosts
                     : (first_pack + shape.packs(bytes) - shape.edge_packs(bytes)) * width;
    const int begin = int(Index(ny) * part / parts), end = int(Index(ny) * (part + 1) / parts);
    stored_from = part == 0 ? -ghosts : begin, stored_to = part + 1 == parts ? ny + ghosts : end;
    first_row = max(begin - shape.halves(), -1);
    first_row -= (first_row + first_colour) & 1;
    steps = stored_to - first_row + 2 * shape.halves() + 1;
  }
};

}  // namespace cfdmark
