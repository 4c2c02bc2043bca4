// The measures of sweeps plane by plane (red_black_planes.cu), for the host that launches them and for the
// device. NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// A block has a column of a grid, a pack of 16 bytes wide for each of 32 lanes and `rows` high, of which each
// lane has `lane_rows`, and makes `depth` sweeps on its way along z. Columns overlap by as many cells as half
// sweeps spoil.
struct PlaneColumn {
  int rows, lane_rows, depth;

  static constexpr int ahead = 2;  // planes on their way from memory

  CFDMARK_FUNCTION constexpr int halves() const { return 2 * depth; }
  CFDMARK_FUNCTION constexpr int warps() const { return rows / lane_rows; }
  CFDMARK_FUNCTION static constexpr int cells(int stored_bytes) { return 16 / stored_bytes; }
  // Lanes, on either side, of cells that other columns have for their own; and of the first column before
  // cell 0. Those are even for rows to begin where 32 bytes of memory do, see Wavefront::lead.
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

  // Columns that have the cells and ghosts -1 to n.
  CFDMARK_FUNCTION constexpr int columns_in_x(int nx, int stored_bytes) const {
    const int first = edge_lanes(stored_bytes) - lead(stored_bytes), own = own_lanes(stored_bytes);
    return (nx / cells(stored_bytes) - first + own) / own;
  }
  CFDMARK_FUNCTION constexpr int columns_in_y(int ny) const { return (ny + 1 + own_rows()) / own_rows(); }

  // Planes in shared memory. As they arrive: from the one on its way to the last whose rows beside are read.
  // Then what each half sweep but the last leaves, for a step and the next one: half a plane each. Then of
  // the right-hand side: from the one on its way to the last that is relaxed for a first colour.
  CFDMARK_FUNCTION static constexpr int planes() { return ahead + 2; }
  CFDMARK_FUNCTION constexpr int sources_begin() const { return planes() + halves() - 1; }
  CFDMARK_FUNCTION constexpr int source_planes() const { return ahead + halves(); }
  CFDMARK_FUNCTION constexpr int plane_bytes() const { return 16 * 32 * rows; }
  CFDMARK_FUNCTION constexpr int shared_bytes(bool has_source) const {
    return (sources_begin() + has_source * source_planes()) * plane_bytes();
  }
};

}  // namespace cfdmark
