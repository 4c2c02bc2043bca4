#include "kernels/core/partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace cfdmark {
namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

std::array<int, 3> extents(const Grid& g) { return {g.nx, g.ny, g.nz}; }

std::string size_of(const Grid& g) {
  return g.is_3d() ? fmt::format("{}x{}x{}", g.nx, g.ny, g.nz) : fmt::format("{}x{}", g.nx, g.ny);
}

// Returns the first cell of part p of P along n cells.
int cut_at(int n, int p, int parts, int align) {
  return p == parts ? n : int(Index(n) * p / parts / align * align);
}

std::vector<int> cuts_along(int n, int parts, int align) {
  std::vector<int> cuts;
  for (int p = 0; p <= parts; ++p) cuts.push_back(cut_at(n, p, parts, align));
  return cuts;
}

bool has_empty_part(const std::vector<int>& cuts) {
  return std::adjacent_find(cuts.begin(), cuts.end(), [](int a, int b) { return a >= b; }) != cuts.end();
}

// Returns the cells on one side of all cuts.
Index cells_on_cuts(const std::array<int, 3>& counts, const Grid& g) {
  return Index(counts[0] - 1) * g.ny * g.nz + Index(counts[1] - 1) * g.nx * g.nz +
         Index(counts[2] - 1) * g.nx * g.ny;
}

// Returns true if a kind allows these numbers of parts.
bool allows(PartShape::Kind kind, const std::array<int, 3>& counts, const Grid& g) {
  const int slowest = g.is_3d() ? 2 : 1;
  for (int d = 0; d < 3; ++d) {
    if (counts[d] == 1) continue;
    if (d > slowest) return false;
    if (kind == PartShape::Kind::slabs && d != slowest) return false;
    if (kind == PartShape::Kind::pencils && d < slowest - 1) return false;
  }
  return true;
}

// Returns the numbers of parts of a kind: the fewest cells on cuts, then the fewest parts along x, then y.
std::array<int, 3> counts_of(PartShape::Kind kind, const Grid& g, int ranks, int align) {
  std::optional<std::array<int, 3>> best;
  for (int x = 1; x <= ranks; ++x)
    for (int y = 1; y <= ranks / x; ++y) {
      if (ranks % (x * y) != 0) continue;
      const std::array<int, 3> counts{x, y, ranks / (x * y)};
      if (!allows(kind, counts, g)) continue;
      bool fits = true;
      for (int d = 0; d < 3; ++d) fits = fits && !has_empty_part(cuts_along(extents(g)[d], counts[d], align));
      if (fits && (!best || cells_on_cuts(counts, g) < cells_on_cuts(*best, g))) best = counts;
    }
  if (best) return *best;
  constexpr const char* names[] = {"slabs", "pencils", "blocks"};
  throw std::invalid_argument(fmt::format(
      "a grid of {} has no {} for {} ranks{}: use fewer ranks or another partition", size_of(g),
      names[int(kind)], ranks, align > 1 ? fmt::format(" with cuts at multiples of {}", align) : ""));
}

// Returns the rank across a side of a part, or -1. `at`: the part's index along each axis.
int rank_across(std::array<int, 3> at, int side, const std::array<int, 3>& counts,
                const std::array<bool, 3>& periodic) {
  const int axis = side / 2, n = counts[axis];
  int& index = at[axis];
  index += side % 2 ? 1 : -1;
  if (index < 0 || index >= n) {
    if (!periodic[axis]) return -1;
    index = (index + n) % n;
  }
  return (at[2] * counts[1] + at[1]) * counts[0] + at[0];
}

}  // namespace

PartShape PartShape::from(std::string_view word) {
  if (word == "slabs") return {Kind::slabs};
  if (word == "pencils") return {Kind::pencils};
  if (word == "blocks") return {Kind::blocks};
  PartShape shape{Kind::given};
  const char *at = word.data(), *end = at + word.size();
  for (int d = 0; d < 3; ++d) {
    const auto [stop, error] = std::from_chars(at, end, shape.parts[d]);
    if (error != std::errc() || shape.parts[d] < 1) break;
    if (stop == end && d > 0) return shape;
    if (stop == end || *stop != 'x') break;
    at = stop + 1;
  }
  throw std::invalid_argument(fmt::format(
      "unknown partition '{}': use slabs, pencils, blocks, or a shape such as 2x3 or 1x2x4", word));
}

Partition Partition::of(const Grid& whole, int ranks, const PartShape& shape, int align,
                        const std::array<bool, 3>& periodic) {
  if (ranks < 1 || align < 1)
    throw std::invalid_argument(
        fmt::format("a partition needs at least 1 rank and align 1, not {} and {}", ranks, align));
  Partition made;
  made.whole_ = whole, made.periodic_ = periodic;
  const bool given = shape.kind == PartShape::Kind::given;
  made.counts_ = given ? shape.parts : counts_of(shape.kind, whole, ranks, align);
  const auto& counts = made.counts_;
  if (const int parts = counts[0] * counts[1] * counts[2]; parts != ranks)
    throw std::invalid_argument(fmt::format("a partition of {}x{}x{} has {} parts, but there are {} ranks",
                                            counts[0], counts[1], counts[2], parts, ranks));
  for (int d = 0; d < 3; ++d) {
    const int n = extents(whole)[d];
    made.cuts_[d] = cuts_along(n, counts[d], align);
    if (has_empty_part(made.cuts_[d]))
      throw std::invalid_argument(
          fmt::format("{} cells along {} are too few for {} parts{}", n, axis_names[d], counts[d],
                      align > 1 ? fmt::format(" with cuts at multiples of {}", align) : ""));
  }
  made.add_parts();
  return made;
}

void Partition::add_parts() {
  const auto& counts = counts_;
  for (int z = 0; z < counts[2]; ++z)
    for (int y = 0; y < counts[1]; ++y)
      for (int x = 0; x < counts[0]; ++x) {
        const auto first = [&](int d, int p) { return cuts_[d][std::size_t(p)]; };
        RankPart part{{first(0, x), first(1, y), first(2, z), first(0, x + 1) - first(0, x),
                       first(1, y + 1) - first(1, y), first(2, z + 1) - first(2, z)}};
        for (int side = 0; side < (whole_.is_3d() ? 6 : 4); ++side)
          part.across[side] = rank_across({x, y, z}, side, counts, periodic_);
        parts_.push_back(part);
      }
}

bool Partition::can_be_halved(const std::array<bool, 3>& axes) const {
  for (int d = 0; d < 3; ++d)
    for (int p = 1; axes[d] && p < counts_[d]; ++p)
      if (cuts_[d][std::size_t(p)] % 2 != 0) return false;
  return true;
}

Partition Partition::halved(const std::array<bool, 3>& axes) const {
  Partition made;
  made.whole_ = whole_, made.periodic_ = periodic_, made.counts_ = counts_;
  int* const extents[] = {&made.whole_.nx, &made.whole_.ny, &made.whole_.nz};
  made.whole_.parity = 0;
  for (int d = 0; d < 3; ++d) {
    made.cuts_[d] = cuts_[d];
    if (!axes[d]) continue;
    *extents[d] /= 2;
    for (int& cut : made.cuts_[d]) cut /= 2;
    if (has_empty_part(made.cuts_[d]))
      throw std::invalid_argument(
          fmt::format("a part has too few cells along {} to be halved", axis_names[d]));
  }
  if (!can_be_halved(axes)) throw std::invalid_argument("a cut at an odd cell cannot be halved");
  made.add_parts();
  return made;
}

int Partition::thinnest(int axis) const {
  int fewest = cuts_[axis].back();
  for (std::size_t p = 1; p < cuts_[axis].size(); ++p)
    fewest = std::min(fewest, cuts_[axis][p] - cuts_[axis][p - 1]);
  return fewest;
}

Grid Partition::local(int rank, int layers) const {
  for (int d = 0; d < 3; ++d)
    if (counts_[d] > 1 && thinnest(d) < layers)
      throw std::invalid_argument(
          fmt::format("the thinnest part has {} cells along {}, but lends {} layers: use fewer ranks",
                      thinnest(d), axis_names[d], layers));
  return grid_of(part(rank).own, layers);
}

Grid Partition::grid_of(const CellBox& cells, int layers) const {
  Grid g = whole_.with_halo(layers);
  g.nx = cells.nx, g.ny = cells.ny, g.nz = cells.nz;
  g.parity = (whole_.parity + cells.i + cells.j + cells.k) % 2;
  return g;
}

double Partition::imbalance() const {
  Index most = 0;
  for (const RankPart& part : parts_) most = std::max(most, part.own.cells());
  return double(most) * ranks() / double(whole_.cells()) - 1;
}

}  // namespace cfdmark
