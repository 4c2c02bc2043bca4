// The measures of tiles that stay in registers for many sweeps (register_tile.cuh), for the host that
// launches them and for the device. NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// A block's tile: `warps` patches of `rows` rows above each other, each row of 32 lanes of `cells` cells.
// `layers` at its edges are other tiles': so many steps can be made until they are needed anew.
struct TileShape {
  int cells, rows, warps, layers;

  CFDMARK_FUNCTION constexpr int edge_lanes() const { return (layers + cells - 1) / cells; }
  CFDMARK_FUNCTION constexpr int own_lanes() const { return 32 - 2 * edge_lanes(); }
  CFDMARK_FUNCTION constexpr int height() const { return rows * warps; }
  CFDMARK_FUNCTION constexpr int own_rows() const { return height() - 2 * layers; }

  // Tiles beside each other from the lane that ends with column -1 to the one that holds column nx, and above
  // each other from row first_row() to ny.
  CFDMARK_FUNCTION constexpr int tiles_x(int nx) const {
    const int lanes = nx / cells + 2, rest = lanes - 32;
    return rest <= 0 ? 1 : 1 + (rest + own_lanes() - 1) / own_lanes();
  }
  CFDMARK_FUNCTION constexpr int tiles_y(int ny, int first_colour) const {
    const int rest = ny + 1 - first_row(first_colour) - height();
    return rest <= 0 ? 1 : 1 + (rest + own_rows() - 1) / own_rows();
  }
  // Two buffers of the outermost rows of all warps.
  CFDMARK_FUNCTION constexpr int shared_bytes(int stored_bytes) const {
    return 2 * warps * 2 * 32 * cells * stored_bytes;
  }
  // Of the lowest tile: at most -1, and so that the first cell of a tile has the colour that comes first.
  CFDMARK_FUNCTION static constexpr int first_row(int first_colour) { return -2 - first_colour; }
};

}  // namespace cfdmark
