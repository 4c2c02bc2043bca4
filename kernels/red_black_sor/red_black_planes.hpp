// Dimensions of plane-by-plane relaxation (red_black_planes.cu), for host and device. NVRTC reads this file,
// so it includes no standard header.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// A block has a column of the grid: 32 lanes of one 16-byte pack in x, `rows` rows in y with `lane_rows` per
// lane. It performs `depth` iterations on its way along z. Columns overlap by the cells that half-steps
// invalidate.
struct PlaneColumn {
  int rows, lane_rows, depth;

  static constexpr int ahead = 2;  // planes in flight from memory

  CFDMARK_FUNCTION constexpr int halves() const { return 2 * depth; }
  CFDMARK_FUNCTION constexpr int warps() const { return rows / lane_rows; }
  CFDMARK_FUNCTION static constexpr int cells(int stored_bytes) { return 16 / stored_bytes; }
  // edge_lanes: lanes on either side whose cells belong to other columns. lead: lanes of the first column
  // before cell 0. It is even, so that rows start at 32-byte boundaries of memory; see Wavefront::lead.
  CFDMARK_FUNCTION constexpr int edge_lanes(int stored_bytes) const {
    return (halves() + cells(stored_bytes) - 1) / cells(stored_bytes);
  }
  CFDMARK_FUNCTION constexpr int lead(int stored_bytes) const {
    return (edge_lanes(stored_bytes) + 2) / 2 * 2;
  }
  CFDMARK_FUNCTION constexpr int own_lanes(int stored_bytes) const {
    return 32 - 2 * edge_lanes(stored_bytes);
  }
  CFDMARK_FUNCTION constexpr int own_rows() const { return rows - 2 * halves(); }

  // Number of columns that cover cells and ghosts -1 to n.
  CFDMARK_FUNCTION constexpr int columns_in_x(int nx, int stored_bytes) const {
    const int first = edge_lanes(stored_bytes) - lead(stored_bytes), own = own_lanes(stored_bytes);
    return (nx / cells(stored_bytes) - first + own) / own;
  }
  CFDMARK_FUNCTION constexpr int columns_in_y(int ny) const { return (ny + 1 + own_rows()) / own_rows(); }

  // Planes in shared memory: those from arrival until their rows are last read; then the results of each
  // half-step but the last for two steps, half a plane each; then the right-hand sides, from arrival until
  // the plane's first colour is relaxed.
  CFDMARK_FUNCTION static constexpr int planes() { return ahead + 2; }
  CFDMARK_FUNCTION constexpr int sources_begin() const { return planes() + halves() - 1; }
  CFDMARK_FUNCTION constexpr int source_planes() const { return ahead + halves(); }
  CFDMARK_FUNCTION constexpr int plane_bytes() const { return 16 * 32 * rows; }
  CFDMARK_FUNCTION constexpr int shared_bytes(bool has_source) const {
    return (sources_begin() + has_source * source_planes()) * plane_bytes();
  }
};

}  // namespace cfdmark
