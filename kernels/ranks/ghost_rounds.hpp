// The copies that fill the ghosts of a rank's field: a round for each axis, x first, each with the ghosts
// that earlier rounds have filled. So edges and corners are filled with two messages an axis.
#pragma once

#include <array>
#include <vector>

#include "kernels/core/operator.hpp"
#include "kernels/core/partition.hpp"

namespace cfdmark {

// A copy of a box of values from one field to another, in memory of the host or of devices. On devices it
// becomes a Put (device_links.hpp).
struct GhostCopy {
  int from_rank = 0;
  const char* from = nullptr;
  char* to = nullptr;
  std::size_t row_bytes = 0;
  int ny = 0, nz = 0;
  Index from_pitch = 0, from_plane = 0, to_pitch = 0, to_plane = 0;  // bytes

  void run() const;  // in memory of the host
  double bytes() const { return double(row_bytes) * ny * nz; }
};

// Returns the copy of a box of values. `first_in_from`, `first_in_to`: the indices of its first value in each
// field, along x, y and z; both fields store values alike.
GhostCopy box_copy(const AnyView& from, const std::array<int, 3>& first_in_from, const AnyView& to,
                   const std::array<int, 3>& first_in_to, const std::array<int, 3>& extents);

struct GhostRound {
  std::vector<GhostCopy> own;          // from this rank's field, along a periodic axis that is not cut
  std::vector<GhostCopy> from_others;  // from the fields of ranks around
  int readers = 0;                     // copies that other ranks make from this rank's field
};
using GhostRounds = std::vector<GhostRound>;

// Returns the rounds of a rank. `fields`: the field of each rank, at cells, faces or nodes of its part.
// Throws std::invalid_argument if a part is thinner than the layers that it lends, or a field has another
// size than its part.
GhostRounds ghost_rounds(const Partition&, int rank, const std::vector<AnyView>& fields);

}  // namespace cfdmark
