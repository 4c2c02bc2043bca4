// Meshes and partitions of tests.
#pragma once

#include <memory>
#include <vector>

#include "kernels/mesh/connect.hpp"
#include "kernels/mesh/generate.hpp"
#include "kernels/mesh/mesh_part.hpp"
#include "kernels/mesh/number.hpp"

namespace cfdmark {

inline constexpr Entity all_entities[] = {Entity::cell, Entity::face, Entity::edge, Entity::node};

// Both dimensions, with extra nodes, in orders that a generator or a reader may leave.
inline const std::vector<std::shared_ptr<const Mesh>>& meshes_to_part() {
  static const auto meshes = [] {
    std::vector<std::shared_ptr<const Mesh>> made;
    for (const Numbering order : {Numbering::random_faces, Numbering::hilbert}) {
      made.push_back(std::make_shared<const Mesh>(numbered(triangles(11, 7, 20, 1), order, 2)));
      made.push_back(std::make_shared<const Mesh>(numbered(tetrahedra(4, 3, 3, 9, 3), order, 4)));
    }
    return made;
  }();
  return meshes;
}

// Returns a partition in which every seventh cell is in a part at random: parts that touch everywhere.
inline MeshPartition scattered_parts(const Mesh& mesh, int parts) {
  std::vector<int> of_cell = MeshPartition::of(mesh, parts, MeshCut::bisection).owners(Entity::cell);
  for (std::size_t c = 0; c < of_cell.size(); c += 7) of_cell[c] = int(c * 2654435761U % unsigned(parts));
  return {mesh, of_cell, parts};
}

// Calls f(partition) for 1 to 9 parts by bisection, and for some with scattered cells, and by METIS if it is
// built.
template <class F>
void for_each_mesh_partition(const Mesh& mesh, const F& f) {
  for (int parts = 1; parts <= 9; ++parts) f(MeshPartition::of(mesh, parts, MeshCut::bisection));
  f(scattered_parts(mesh, 4));
  if (not_built_reason(MeshCut::metis).empty()) f(MeshPartition::of(mesh, 3, MeshCut::metis));
}

}  // namespace cfdmark
