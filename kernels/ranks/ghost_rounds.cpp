#include "kernels/ranks/ghost_rounds.hpp"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "kernels/core/precision.hpp"

namespace cfdmark {
namespace {

// Indices first .. end - 1 along an axis of a field.
struct IndexRange {
  int first = 0, end = 0;
};
using IndexBox = std::array<IndexRange, 3>;

std::array<int, 3> first_of(const IndexBox& box) { return {box[0].first, box[1].first, box[2].first}; }
std::array<int, 3> extents_of(const IndexBox& box) {
  return {box[0].end - box[0].first, box[1].end - box[1].first, box[2].end - box[2].first};
}

std::array<int, 3> sides_of(const CellBox& box) { return {box.nx, box.ny, box.nz}; }
std::array<int, 3> sides_of(const Grid& grid) { return {grid.nx, grid.ny, grid.nz}; }

char* place(const AnyView& field, const std::array<int, 3>& at) {
  return static_cast<char*>(field.origin) +
         (at[0] + at[1] * field.pitch + at[2] * field.plane) * Index(stored_bytes(field.storage));
}

// The rounds of one rank's field.
class GhostPlan {
 public:
  GhostPlan(const Partition& partition, int rank, const std::vector<AnyView>& fields)
      : partition_(partition),
        rank_(rank),
        fields_(fields),
        part_(partition.part(rank)),
        field_(fields.at(std::size_t(rank))),
        dims_(field_.grid.is_3d() ? 3 : 2) {
    for (std::size_t r = 0; r < fields.size(); ++r)
      if (fields[r].storage != field_.storage || fields[r].grid.halo != field_.grid.halo)
        throw std::invalid_argument(
            fmt::format("the fields of ranks {} and {} differ in precision or ghosts", rank, r));
    for (int d = 0; d < 3; ++d) {
      cells_[d] = sides_of(part_.own)[d];
      extra_[d] = sides_of(field_.grid)[d] - cells_[d];
      if (extra_[d] < 0 || extra_[d] > 1)
        throw std::invalid_argument(
            fmt::format("a field of {} values along axis {} does not belong to a part of {} cells",
                        cells_[d] + extra_[d], d, cells_[d]));
      layers_[d] = d < dims_ ? field_.grid.halo : 0;
    }
  }

  GhostRounds rounds() const {
    GhostRounds rounds;
    for (int d = 0; d < dims_; ++d)
      if (partition_.counts()[d] > 1 || partition_.periodic()[d]) rounds.push_back(round(d));
    return rounds;
  }

 private:
  GhostRound round(int d) const {
    const int lent = layers_[d] + extra_[d];
    if (partition_.thinnest(d) < lent)
      throw std::invalid_argument(fmt::format("the thinnest part has {} cells along axis {}, but lends {}",
                                              partition_.thinnest(d), d, lent));
    GhostRound round;
    for (const bool high : {false, true}) {
      const int across = part_.across[2 * d + high];
      if (across < 0) continue;
      const bool wraps = high ? first(d) + cells_[d] == whole(d) : first(d) == 0;
      IndexBox ghosts = section(d, wraps), source = ghosts;
      const int there = sides_of(partition_.part(across).own)[d];
      ghosts[d] = high ? IndexRange{cells_[d], cells_[d] + lent} : IndexRange{-layers_[d], 0};
      source[d] = high ? IndexRange{0, lent} : IndexRange{there - layers_[d], there};
      GhostCopy copy = box_copy(fields_[std::size_t(across)], first_of(source), field_, first_of(ghosts),
                                extents_of(ghosts));
      copy.from_rank = across;
      (across == rank_ ? round.own : round.from_others).push_back(copy);
      round.readers += across != rank_;
    }
    return round;
  }

  // Returns the indices of the round along axis d on the other axes: with the ghosts of earlier rounds, and
  // across a cut with those beyond the domain's own sides.
  IndexBox section(int d, bool wraps) const {
    IndexBox box;
    for (int e = 0; e < 3; ++e) {
      const bool low = e < d || (!wraps && part_.across[2 * e] < 0),
                 high = e < d || (!wraps && part_.across[2 * e + 1] < 0);
      box[e] = {low ? -layers_[e] : 0, cells_[e] + extra_[e] + (high ? layers_[e] : 0)};
    }
    return box;
  }

  int first(int d) const { return std::array{part_.own.i, part_.own.j, part_.own.k}[std::size_t(d)]; }
  int whole(int d) const { return sides_of(partition_.whole())[d]; }

  const Partition& partition_;
  int rank_;
  const std::vector<AnyView>& fields_;
  const RankPart& part_;
  const AnyView& field_;
  int dims_;
  std::array<int, 3> cells_, extra_, layers_;
};

}  // namespace

void GhostCopy::run() const {
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      std::memcpy(to + j * to_pitch + k * to_plane, from + j * from_pitch + k * from_plane, row_bytes);
}

GhostCopy box_copy(const AnyView& from, const std::array<int, 3>& first_in_from, const AnyView& to,
                   const std::array<int, 3>& first_in_to, const std::array<int, 3>& extents) {
  const Index value = Index(stored_bytes(from.storage));
  return {.from = place(from, first_in_from),
          .to = place(to, first_in_to),
          .row_bytes = std::size_t(extents[0] * value),
          .ny = extents[1],
          .nz = extents[2],
          .from_pitch = from.pitch * value,
          .from_plane = from.plane * value,
          .to_pitch = to.pitch * value,
          .to_plane = to.plane * value};
}

GhostRounds ghost_rounds(const Partition& partition, int rank, const std::vector<AnyView>& fields) {
  return GhostPlan(partition, rank, fields).rounds();
}

}  // namespace cfdmark
