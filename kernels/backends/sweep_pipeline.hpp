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
  // Lanes of the first strip before that of column -1, for rows of strips to begin where 32 bytes of memory
  // do: those across whose borders 32 bytes of shared memory are filled are read twice.
  CFDMARK_FUNCTION constexpr int lead() const { return packs % 2; }
  // Strips beside each other that hold columns -1 to nx, from lane to lane.
  CFDMARK_FUNCTION constexpr int strips(int nx, int stored_bytes) const {
    const int own = own_lanes(stored_bytes), lanes = lead() + nx / cells(stored_bytes) + 2;
    const int without_edges = lanes - 2 * edge_lanes(stored_bytes);
    return without_edges <= own ? 1 : (without_edges + own - 1) / own;
  }

  // Where in a row in shared memory, in bytes, a lane's first pack lies, and number n of a lane whose first
  // one lies at `at`. They lie as in memory, but some of a lane have changed places, by an exclusive or, for
  // those of eight lanes beside each other to lie in all banks; an odd number of packs a lane does so anyway.
  CFDMARK_FUNCTION static constexpr int place_of_lane(int packs, int lane) {
    return 16 * ((lane * packs) ^ (lane * exchanged(packs) / 8 % exchanged(packs)));
  }
  CFDMARK_FUNCTION static constexpr int place_of_pack(int packs, int at, int n) {
    const int among = n % exchanged(packs);
    return (at ^ (16 * among)) + 16 * (n - among);
  }
  // Rows in shared memory: those that arrive, those that each warp hands on, those of the right-hand side.
  CFDMARK_FUNCTION constexpr int arriving() const { return ahead() + 1; }
  CFDMARK_FUNCTION constexpr int handed() const { return delay() + 1; }
  CFDMARK_FUNCTION constexpr int source_rows() const { return rows_between() + ahead(); }
  CFDMARK_FUNCTION constexpr int row_bytes() const { return 16 * 32 * packs; }
  CFDMARK_FUNCTION constexpr int shared_bytes(bool has_source) const {
    return row_bytes() * (arriving() + handed() * warps + (has_source ? source_rows() : 0));
  }

 private:
  // Packs of a lane that change places: the largest power of two that divides their number, at most 8.
  CFDMARK_FUNCTION static constexpr int exchanged(int packs) { return packs % 8 == 0 ? 8 : packs & -packs; }
};

}  // namespace cfdmark
