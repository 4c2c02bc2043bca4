// The partition of a box-shaped domain into the parts of ranks. Pure functions of the grid: no memory, no
// communication.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/grid.hpp"

namespace cfdmark {

// Cells of the whole domain: the first cell and the extents.
struct CellBox {
  int i = 0, j = 0, k = 0;
  int nx = 1, ny = 1, nz = 1;

  Index cells() const { return Index(nx) * ny * nz; }
  bool has(int at_i, int at_j, int at_k) const {
    return at_i >= i && at_i < i + nx && at_j >= j && at_j < j + ny && at_k >= k && at_k < k + nz;
  }
  bool operator==(const CellBox&) const = default;
};

// The number of parts along x, y and z. It is given, or follows from a kind:
//   slabs     cut along the slowest axis only, so that a layer of ghosts is contiguous
//   pencils   cut along the two slowest axes
//   blocks    cut along all axes
// Of all numbers of a kind the partition takes those with the fewest cells on cuts, and of these those with
// the fewest parts along x, then y: faces across x are strided in memory.
struct PartShape {
  enum class Kind { slabs, pencils, blocks, given };
  Kind kind = Kind::slabs;
  std::array<int, 3> parts = {1, 1, 1};  // of `given`

  // Returns the shape of a word: slabs, pencils, blocks, 2x3 or 1x2x4. Throws std::invalid_argument with the
  // forms for any other.
  static PartShape from(std::string_view word);
};

// The part of the domain that a rank owns.
struct RankPart {
  CellBox own;
  // The rank across each side: west, east, south, north, bottom, top. -1 at the domain's own side. Across a
  // periodic side it is the rank of the opposite end, which may be the rank itself.
  std::array<int, 6> across = {-1, -1, -1, -1, -1, -1};
};

class Partition {
 public:
  // Cuts a domain for `ranks` ranks. With P parts along an axis of n cells, cut p lies at
  // floor(n p / P / align) align, so that parts differ by at most `align` cells. Ranks are numbered along x
  // first, then y, then z. `periodic`: axes whose first cell is next to the last.
  // Throws std::invalid_argument, with both numbers, if the shape has another number of parts than there are
  // ranks, or if a part would have no cells.
  static Partition of(const Grid& whole, int ranks, const PartShape&, int align = 1,
                      const std::array<bool, 3>& periodic = {});

  int ranks() const { return int(parts_.size()); }
  const Grid& whole() const { return whole_; }
  const std::array<bool, 3>& periodic() const { return periodic_; }
  // Returns the number of parts along x, y and z.
  const std::array<int, 3>& counts() const { return counts_; }
  const RankPart& part(int rank) const { return parts_.at(std::size_t(rank)); }
  // Returns the grid of these cells with this number of layers of ghosts. Its parity is that of its first
  // cell in the whole domain.
  Grid grid_of(const CellBox&, int layers) const;
  // Returns grid_of() a rank's own cells. Throws std::invalid_argument, with both numbers, if a part next to
  // a cut is thinner than the layers that it lends.
  Grid local(int rank, int layers) const;
  // Returns the most cells of a part over the mean, less 1: 0 if all are equal.
  double imbalance() const;
  // Returns the number of cells of the thinnest part along an axis.
  int thinnest(int axis) const;

  // Returns true if all cuts across these axes are at even cells.
  bool can_be_halved(const std::array<bool, 3>& axes) const;
  // Returns the partition of the cells of odd index along these axes, in which each rank has those of its
  // part. Throws std::invalid_argument if a cut is at an odd cell, or if a part would have no cells.
  Partition halved(const std::array<bool, 3>& axes) const;

 private:
  void add_parts();

  Grid whole_;
  std::array<bool, 3> periodic_ = {};
  std::array<int, 3> counts_ = {1, 1, 1};
  std::array<std::vector<int>, 3> cuts_;  // first cell of each part along an axis, and the end
  std::vector<RankPart> parts_;
};

}  // namespace cfdmark
