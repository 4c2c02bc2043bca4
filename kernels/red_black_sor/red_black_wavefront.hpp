// Dimensions of a wavefront of half-steps (red_black_wavefront.cu), for host and device. NVRTC reads this
// file, so it includes no standard header.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// A block processes a strip of 2 * pairs columns and performs `depth` iterations. Strips and blocks overlap
// by the columns and rows that half-steps invalidate.
struct Wavefront {
  int pairs, depth;

  static constexpr int ahead = 5;  // rows in flight from memory

  CFDMARK_FUNCTION constexpr int halves() const { return 2 * depth; }
  // Groups of four rows whose values a block holds, from arrival to store.
  CFDMARK_FUNCTION constexpr int quads() const { return depth + 1; }
  // Rows whose coefficients a thread holds.
  CFDMARK_FUNCTION constexpr int held() const { return 4 * (depth - 1) + 1; }
  // Rows of all arrays between memory and registers: in flight, and until both colours have read them.
  CFDMARK_FUNCTION static constexpr int waiting() { return ahead + 3; }

  CFDMARK_FUNCTION constexpr int threads() const { return 2 * pairs; }
  // Packs of the first strip before column 0. Even, like the packs of a strip, so that rows start at 32-byte
  // boundaries: packs that straddle a 32-byte sector are read twice.
  static constexpr int lead = 2;
  // 16-byte packs in a row of a strip, and those on either side that belong to other strips.
  CFDMARK_FUNCTION constexpr int packs(int stored_bytes) const { return 2 * pairs * stored_bytes / 16; }
  CFDMARK_FUNCTION constexpr int edge_packs(int stored_bytes) const {
    return (halves() * stored_bytes + 15) / 16;
  }
  CFDMARK_FUNCTION constexpr int own_packs(int stored_bytes) const {
    return packs(stored_bytes) - 2 * edge_packs(stored_bytes);
  }
  // Number of strips that cover columns -1 to nx.
  CFDMARK_FUNCTION constexpr int strips(int nx, int stored_bytes) const {
    const int own = own_packs(stored_bytes), packs = lead + nx * stored_bytes / 16 + 1;
    const int without_edges = packs - 2 * edge_packs(stored_bytes);
    return without_edges <= own ? 1 : (without_edges + own - 1) / own;
  }
  // Bytes of shared memory: values of the rows in a block, diagonals (and right-hand sides) of the rows being
  // updated, and all arrays of the rows in flight.
  CFDMARK_FUNCTION constexpr int shared_bytes(bool has_source, int stored_bytes) const {
    return 2 * pairs * stored_bytes *
           (4 * quads() + (1 + has_source) * 4 * depth + (6 + has_source) * waiting());
  }
};

}  // namespace cfdmark
