// The measures of a wavefront of half sweeps (red_black_wavefront.cu), for the host that launches it and for
// the device. NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// A block goes down a strip of 2 * pairs columns and makes `depth` sweeps. Strips and blocks overlap by as
// many columns and rows as its half sweeps spoil.
struct Wavefront {
  int pairs, depth;

  static constexpr int ahead = 5;  // rows on their way from memory

  CFDMARK_FUNCTION constexpr int halves() const { return 2 * depth; }
  // Of four rows whose values a block holds, from the one that arrives to the one that goes back to memory.
  CFDMARK_FUNCTION constexpr int quads() const { return depth + 1; }
  // Rows whose coefficients a thread holds.
  CFDMARK_FUNCTION constexpr int held() const { return 4 * (depth - 1) + 1; }
  // Rows of all arrays between memory and registers: on their way, and until both colours have taken theirs.
  CFDMARK_FUNCTION static constexpr int waiting() { return ahead + 3; }

  CFDMARK_FUNCTION constexpr int threads() const { return 2 * pairs; }
  // Packs of the first strip before column 0. Even, as are strips' own ones, for rows of strips to begin
  // where 32 bytes of memory do: those across whose borders 32 bytes of shared memory are filled are read
  // twice.
  static constexpr int lead = 2;
  // Of 16 bytes, in a row of a strip; of those what other strips have for their own, on either side.
  CFDMARK_FUNCTION constexpr int packs(int stored_bytes) const { return 2 * pairs * stored_bytes / 16; }
  CFDMARK_FUNCTION constexpr int edge_packs(int stored_bytes) const {
    return (halves() * stored_bytes + 15) / 16;
  }
  CFDMARK_FUNCTION constexpr int own_packs(int stored_bytes) const {
    return packs(stored_bytes) - 2 * edge_packs(stored_bytes);
  }
  // Strips beside each other that hold columns -1 to nx.
  CFDMARK_FUNCTION constexpr int strips(int nx, int stored_bytes) const {
    const int own = own_packs(stored_bytes), packs = lead + nx * stored_bytes / 16 + 1;
    const int without_edges = packs - 2 * edge_packs(stored_bytes);
    return without_edges <= own ? 1 : (without_edges + own - 1) / own;
  }
  // Of values of the rows that a block holds, of diagonals and the right-hand side, if there is one, of those
  // that it updates, and of all arrays of those that wait.
  CFDMARK_FUNCTION constexpr int shared_bytes(bool has_source, int stored_bytes) const {
    return 2 * pairs * stored_bytes *
           (4 * quads() + (1 + has_source) * 4 * depth + (6 + has_source) * waiting());
  }
};

}  // namespace cfdmark
