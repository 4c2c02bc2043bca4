// The measures of a pipeline of sweeps (sweep_pipeline.cuh), for the host that launches it and for the
// device. NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

struct SweepPipeline {
  int packs;  // of 16 bytes that a lane holds of a row
  int each;   // sweeps of a warp
  int warps;
  int reach;  // rows, and columns, whose values a sweep hangs on: 1 of Jacobi, 2 of red-black, which has two
              // halves

  // Rows that are on their way from memory, and rows that a warp has handed on when the next takes the first.
  CFDMARK_FUNCTION constexpr int ahead() const { return 3; }
  CFDMARK_FUNCTION constexpr int delay() const { return reach; }

  CFDMARK_FUNCTION constexpr int depth() const { return each * warps; }
  CFDMARK_FUNCTION constexpr int overlap() const { return reach * depth(); }
  CFDMARK_FUNCTION constexpr int cells(int stored_bytes) const { return packs * 16 / stored_bytes; }
  // Rows from the one that arrives at a warp to the one that arrives at the next.
  CFDMARK_FUNCTION constexpr int rows_of_warp() const { return reach * each + delay(); }
  // Rows from the one that arrives to the one that goes back to memory.
  CFDMARK_FUNCTION constexpr int rows_between() const { return warps * rows_of_warp(); }

  // Lanes on either side of a strip whose columns other strips have for their own.
  CFDMARK_FUNCTION constexpr int edge_lanes(int stored_bytes) const {
    return (overlap() + cells(stored_bytes) - 1) / cells(stored_bytes);
  }
  CFDMARK_FUNCTION constexpr int own_lanes(int stored_bytes) const {
    return 32 - 2 * edge_lanes(stored_bytes);
  }
  // Strips beside each other that hold columns -1 to nx, from lane to lane.
  CFDMARK_FUNCTION constexpr int strips(int nx, int stored_bytes) const {
    const int own = own_lanes(stored_bytes), lanes = nx / cells(stored_bytes) + 2;
    const int without_edges = lanes - 2 * edge_lanes(stored_bytes);
    return without_edges <= own ? 1 : (without_edges + own - 1) / own;
  }

  // A row in shared memory is the first packs of all lanes, then their second ones, with a gap between so
  // that neither lanes nor copies of neighbouring packs meet in a bank.
  CFDMARK_FUNCTION constexpr int pack_stride() const { return 32 + (packs < 8 ? 8 / packs : 1); }
  CFDMARK_FUNCTION constexpr int row_packs() const { return packs * pack_stride(); }
  // Rows in shared memory: those that arrive, those that each warp hands on, those of the right-hand side.
  CFDMARK_FUNCTION constexpr int arriving() const { return ahead() + 1; }
  CFDMARK_FUNCTION constexpr int handed() const { return delay() + 1; }
  CFDMARK_FUNCTION constexpr int source_rows() const { return rows_between() + ahead(); }
  CFDMARK_FUNCTION constexpr int shared_bytes(bool has_source) const {
    return 16 * row_packs() * (arriving() + handed() * warps + (has_source ? source_rows() : 0));
  }
};

}  // namespace cfdmark
