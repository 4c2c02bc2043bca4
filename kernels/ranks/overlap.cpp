#include "kernels/ranks/overlap.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "kernels/core/precision.hpp"

namespace cfdmark {
namespace {

// Grows the range of n cells from `first` by `layers` at either end, within 0 .. all - 1.
void grow(int& first, int& n, int layers, int all) {
  const int low = std::max(first - layers, 0), end = std::min(first + n + layers, all);
  first = low, n = end - low;
}

// Reduces the range of n cells from `first` to those that it shares with another; n is 0 or less for none.
void cut(int& first, int& n, int other_first, int other_n) {
  const int low = std::max(first, other_first), end = std::min(first + n, other_first + other_n);
  first = low, n = end - low;
}

bool shared(CellBox& box, const CellBox& other) {
  cut(box.i, box.nx, other.i, other.nx);
  cut(box.j, box.ny, other.j, other.ny);
  cut(box.k, box.nz, other.k, other.nz);
  return box.nx > 0 && box.ny > 0 && box.nz > 0;
}

// Returns the address of the first cell of `box` in the field of the cells `of`.
char* first_of(const AnyView& field, const CellBox& of, const CellBox& box) {
  return static_cast<char*>(field.origin) +
         (box.i - of.i + (box.j - of.j) * field.pitch + (box.k - of.k) * field.plane) *
             Index(stored_bytes(field.storage));
}

}  // namespace

CellBox with_overlap(const Partition& partition, int rank, int layers) {
  CellBox box = partition.part(rank).own;
  const Grid& whole = partition.whole();
  const std::array<int, 3>& parts = partition.counts();
  for (std::size_t d = 0; d < 3; ++d)
    if (parts[d] > 1 && partition.periodic()[d])
      throw std::invalid_argument("parts do not overlap across a cut along a periodic axis");
  if (parts[0] > 1) grow(box.i, box.nx, layers, whole.nx);
  if (parts[1] > 1) grow(box.j, box.ny, layers, whole.ny);
  if (parts[2] > 1) grow(box.k, box.nz, layers, whole.nz);
  return box;
}

Grid grid_of(const Partition& partition, const CellBox& box, int ghosts) {
  Grid g = partition.whole().with_halo(ghosts);
  g.nx = box.nx, g.ny = box.ny, g.nz = box.nz;
  g.parity = (partition.whole().parity + box.i + box.j + box.k) % 2;
  return g;
}

GhostRounds overlap_rounds(const Partition& partition, int rank, int layers,
                           const std::vector<AnyView>& fields) {
  const CellBox mine = with_overlap(partition, rank, layers), &own = partition.part(rank).own;
  const AnyView& to = fields.at(std::size_t(rank));
  const Index value = Index(stored_bytes(to.storage));
  GhostRound round;
  for (int r = 0; r < partition.ranks(); ++r) {
    if (r == rank) continue;
    const CellBox theirs = with_overlap(partition, r, layers);
    CellBox read = theirs;
    round.readers += shared(read, own);
    CellBox box = mine;
    if (!shared(box, partition.part(r).own)) continue;
    const AnyView& from = fields[std::size_t(r)];
    round.from_others.push_back({.from_rank = r,
                                 .from = first_of(from, theirs, box),
                                 .to = first_of(to, mine, box),
                                 .row_bytes = std::size_t(box.nx * value),
                                 .ny = box.ny,
                                 .nz = box.nz,
                                 .from_pitch = from.pitch * value,
                                 .from_plane = from.plane * value,
                                 .to_pitch = to.pitch * value,
                                 .to_plane = to.plane * value});
  }
  return {round};
}

}  // namespace cfdmark
