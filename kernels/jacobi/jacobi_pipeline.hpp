// The measures of a pipeline of Jacobi sweeps (jacobi_pipelined.cu), for the host that launches it and for
// the device. NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/backends/no_source.hpp"
#include "kernels/core/portability.hpp"

namespace cfdmark {

struct JacobiPipeline {
  int packs;  // of 16 bytes that a lane holds of a row
  int each;   // sweeps of a warp
  int warps;

  static constexpr int ahead = 3;  // rows that are on their way from memory

  CFDMARK_FUNCTION constexpr int depth() const { return each * warps; }
  CFDMARK_FUNCTION constexpr int cells(int stored_bytes) const { return packs * 16 / stored_bytes; }
  // Rows from the one that arrives to the one that is done, both counted.
  CFDMARK_FUNCTION constexpr int rows_between() const { return depth() + warps; }

  // Lanes on either side of a strip whose columns other strips have for their own: each sweep spoils one.
  CFDMARK_FUNCTION constexpr int edge_lanes(int stored_bytes) const {
    return (depth() + cells(stored_bytes) - 1) / cells(stored_bytes);
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
  // Rows in shared memory: those that arrive, two that each warp hands on, those of the right-hand side.
  CFDMARK_FUNCTION constexpr int arriving() const { return ahead + 1; }
  CFDMARK_FUNCTION constexpr int source_rows() const { return rows_between() + ahead; }
  CFDMARK_FUNCTION constexpr int shared_bytes(bool has_source) const {
    return 16 * row_packs() * (arriving() + 2 * warps + (has_source ? source_rows() : 0));
  }
};

}  // namespace cfdmark
