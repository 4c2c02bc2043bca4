#include "bench/catalog/part_ghosts.hpp"

#include <array>

namespace cfdmark {
namespace {

using Indices = std::array<int, 3>;

// Ghosts across one cut.
struct GhostBox {
  Indices first, extents;
};

std::vector<GhostBox> ghosts_across_cuts(const RankPart& part, const Grid& of_field) {
  const Indices cells = {of_field.nx, of_field.ny, of_field.nz};
  std::vector<GhostBox> boxes;
  for (std::size_t side = 0; side < 6; ++side) {
    if (part.across[side] < 0) continue;
    const std::size_t axis = side / 2;
    GhostBox box{{}, cells};
    box.first[axis] = side % 2 == 0 ? -of_field.halo : cells[axis];
    box.extents[axis] = of_field.halo;
    boxes.push_back(box);
  }
  return boxes;
}

}  // namespace

void poison_ghosts(Backend& of_rank, const RankPart& part, const AnyView& field) {
  for (const GhostBox& box : ghosts_across_cuts(part, field.grid)) {
    const GhostCopy rows = box_copy(field, box.first, field, box.first, box.extents);
    const std::vector<unsigned char> not_a_number(rows.row_bytes, 0xff);
    for (int k = 0; k < rows.nz; ++k)
      for (int j = 0; j < rows.ny; ++j)
        of_rank.upload(rows.to + j * rows.to_pitch + k * rows.to_plane, not_a_number.data(), rows.row_bytes);
  }
}

std::vector<GhostCopy> ghosts_over_owners(const RankPart& part, const AnyView& field, const AnyView& whole) {
  std::vector<GhostCopy> copies;
  for (const GhostBox& box : ghosts_across_cuts(part, field.grid)) {
    const Indices in_whole = {part.own.i + box.first[0], part.own.j + box.first[1],
                              part.own.k + box.first[2]};
    copies.push_back(box_copy(field, box.first, whole, in_whole, box.extents));
  }
  return copies;
}

}  // namespace cfdmark
