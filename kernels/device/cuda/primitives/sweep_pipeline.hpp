// Dimensions of a pipeline of iterations (sweep_pipeline.cuh), for host and device. NVRTC reads this file, so
// it includes no standard header.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

struct SweepPipeline {
  int packs;  // 16-byte packs of a row per lane
  int each;   // iterations per warp
  int warps;
  int reach;  // rows and columns that an iteration depends on: 1 for Jacobi, 2 for
              // red-black, which has two half-steps

  // Rows in flight from memory, and rows that a warp has handed on when the next warp reads the first.
  CFDMARK_FUNCTION constexpr int ahead() const { return 3; }
  CFDMARK_FUNCTION constexpr int delay() const { return reach; }

  CFDMARK_FUNCTION constexpr int depth() const { return each * warps; }
  CFDMARK_FUNCTION constexpr int overlap() const { return reach * depth(); }
  CFDMARK_FUNCTION constexpr int cells(int stored_bytes) const { return packs * 16 / stored_bytes; }
  // Rows between the arrivals at consecutive warps.
  CFDMARK_FUNCTION constexpr int rows_of_warp() const { return reach * each + delay(); }
  // Rows between arrival and store.
  CFDMARK_FUNCTION constexpr int rows_between() const { return warps * rows_of_warp(); }

  // Lanes on either side of a strip whose columns belong to other strips.
  CFDMARK_FUNCTION constexpr int edge_lanes(int stored_bytes) const {
    return (overlap() + cells(stored_bytes) - 1) / cells(stored_bytes);
  }
  CFDMARK_FUNCTION constexpr int own_lanes(int stored_bytes) const {
    return 32 - 2 * edge_lanes(stored_bytes);
  }
  // Lanes of the first strip before the lane of column -1. They align strip rows to 32 bytes of memory: packs
  // that straddle a 32-byte sector are read twice.
  CFDMARK_FUNCTION constexpr int lead() const { return packs % 2; }
  // Number of strips that cover columns -1 to nx.
  CFDMARK_FUNCTION constexpr int strips(int nx, int stored_bytes) const {
    const int own = own_lanes(stored_bytes), lanes = lead() + nx / cells(stored_bytes) + 2;
    const int without_edges = lanes - 2 * edge_lanes(stored_bytes);
    return without_edges <= own ? 1 : (without_edges + own - 1) / own;
  }

  // Byte offset of a lane's first pack within a row of shared memory, and of pack n of a lane whose first is
  // at `at`. Packs are stored as in memory, except that an exclusive or permutes those of a lane, so that
  // eight adjacent lanes access all banks. An odd number of packs per lane does so without permutation.
  CFDMARK_FUNCTION static constexpr int place_of_lane(int packs, int lane) {
    return 16 * ((lane * packs) ^ (lane * exchanged(packs) / 8 % exchanged(packs)));
  }
  CFDMARK_FUNCTION static constexpr int place_of_pack(int packs, int at, int n) {
    const int among = n % exchanged(packs);
    return (at ^ (16 * among)) + 16 * (n - among);
  }
  // Rows in shared memory: arriving rows, rows handed on per warp, and rows of the right-hand side.
  CFDMARK_FUNCTION constexpr int arriving() const { return ahead() + 1; }
  CFDMARK_FUNCTION constexpr int handed() const { return delay() + 1; }
  CFDMARK_FUNCTION constexpr int source_rows() const { return rows_between() + ahead(); }
  CFDMARK_FUNCTION constexpr int row_bytes() const { return 16 * 32 * packs; }
  CFDMARK_FUNCTION constexpr int shared_bytes(bool has_source) const {
    return row_bytes() * (arriving() + handed() * warps + (has_source ? source_rows() : 0));
  }

 private:
  // Number of permuted packs per lane: the largest power of two that divides `packs`, at most 8.
  CFDMARK_FUNCTION static constexpr int exchanged(int packs) { return packs % 8 == 0 ? 8 : packs & -packs; }
};

}  // namespace cfdmark
