#include "kernels/ranks/overlap.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

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

// Returns the indices of the first cell of `box` in a field of the cells `of`.
std::array<int, 3> first_in(const CellBox& of, const CellBox& box) {
  return {box.i - of.i, box.j - of.j, box.k - of.k};
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

GhostRounds overlap_rounds(const Partition& partition, int rank, int layers,
                           const std::vector<AnyView>& fields) {
  const CellBox mine = with_overlap(partition, rank, layers), &own = partition.part(rank).own;
  const AnyView& to = fields.at(std::size_t(rank));
  GhostRound round;
  for (int r = 0; r < partition.ranks(); ++r) {
    if (r == rank) continue;
    const CellBox theirs = with_overlap(partition, r, layers);
    CellBox read = theirs;
    round.readers += shared(read, own);
    CellBox box = mine;
    if (!shared(box, partition.part(r).own)) continue;
    round.from_others.push_back(box_copy(fields[std::size_t(r)], first_in(theirs, box), to,
                                         first_in(mine, box), {box.nx, box.ny, box.nz}));
    round.from_others.back().from_rank = r;
  }
  return {round};
}

}  // namespace cfdmark
