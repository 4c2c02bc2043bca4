// Dimensions of register tiles (register_tile.cuh), for host and device. NVRTC reads this file, so it
// includes no standard header.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// A block's tile: `warps` patches stacked in y, each of `rows` rows of 32 lanes with `cells` cells. `layers`
// cells at its edges belong to other tiles: that many steps are possible between two exchanges.
struct TileShape {
  int cells, rows, warps, layers;

  CFDMARK_FUNCTION constexpr int edge_lanes() const { return (layers + cells - 1) / cells; }
  CFDMARK_FUNCTION constexpr int own_lanes() const { return 32 - 2 * edge_lanes(); }
  CFDMARK_FUNCTION constexpr int height() const { return rows * warps; }
  CFDMARK_FUNCTION constexpr int own_rows() const { return height() - 2 * layers; }

  // Number of tiles in x, from the lane that ends with column -1 to the lane with column nx, and in y, from
  // first_row() to row ny.
  CFDMARK_FUNCTION constexpr int tiles_x(int nx) const {
    const int lanes = nx / cells + 2, rest = lanes - 32;
    return rest <= 0 ? 1 : 1 + (rest + own_lanes() - 1) / own_lanes();
  }
  CFDMARK_FUNCTION constexpr int tiles_y(int ny, int first_colour) const {
    const int rest = ny + 1 - first_row(first_colour) - height();
    return rest <= 0 ? 1 : 1 + (rest + own_rows() - 1) / own_rows();
  }
  // Bytes of two buffers for the outermost rows of all warps.
  CFDMARK_FUNCTION constexpr int shared_bytes(int stored_bytes) const {
    return 2 * warps * 2 * 32 * cells * stored_bytes;
  }
  // First row of the lowest tile: at most -1, with a parity that gives the tile's first cell the colour
  // updated first.
  CFDMARK_FUNCTION static constexpr int first_row(int first_colour) { return -2 - first_colour; }
};

}  // namespace cfdmark
