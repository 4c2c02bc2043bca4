// Partitions of meshes, owners of shared entities, and the meshes of parts.
#include <algorithm>
#include <set>

#include "kernels/cells/indexed/device_mesh.hpp"
#include "tests/catch.hpp"
#include "tests/ranks/parted_meshes.hpp"

using namespace cfdmark;

namespace {

// Returns for each entity the parts whose cells have it, from the lists of each cell alone.
std::vector<std::set<int>> touching(const Mesh& mesh, const MeshPartition& partition, Entity entity) {
  std::vector<std::set<int>> parts(static_cast<std::size_t>(mesh.count(entity)));
  for (int c = 0; c < mesh.cells(); ++c)
    for (int k = 0; k <= mesh.dims; ++k) {
      const std::size_t at = std::size_t(c * (mesh.dims + 1) + k);
      const int part = partition.owners(Entity::cell)[std::size_t(c)], face = number_of(mesh.cell_faces[at]);
      if (entity == Entity::cell) parts[std::size_t(c)].insert(part);
      if (entity == Entity::face) parts[std::size_t(face)].insert(part);
      if (entity == Entity::node) parts[std::size_t(mesh.cell_nodes[at])].insert(part);
      for (int side = 0; entity == Entity::edge && side < 3; ++side)
        parts[std::size_t(number_of(mesh.face_edges[std::size_t(3 * face + side)]))].insert(part);
    }
  return parts;
}

// Returns the entries of a list of a part by their numbers in the whole mesh.
std::vector<int> in_whole(const MeshPart& part, const HostLists& lists, Entity of_entries, int e) {
  std::vector<int> entries;
  for (int n = 0; n < lists.count(e); ++n) {
    const int entry = lists.entry(e, n);
    if (lists.marks == Marks::gaps && entry < 0)
      entries.push_back(-1);
    else
      entries.push_back(
          (is_reversed(entry) ? -1000000 : 0) +
          part.numbers(of_entries)[std::size_t(lists.marks == Marks::signs ? number_of(entry) : entry)]);
  }
  return entries;
}
std::vector<int> in_whole(const HostLists& lists, int e) {
  std::vector<int> entries;
  for (int n = 0; n < lists.count(e); ++n) {
    const int entry = lists.entry(e, n);
    const bool is_missing = lists.marks == Marks::gaps && entry < 0;
    entries.push_back(is_missing ? -1 : (is_reversed(entry) ? -1000000 : 0) + number_of(entry));
  }
  return entries;
}

}  // namespace

TEST_CASE("every entity of a mesh is owned once, by the highest part of all that touch it", "[mesh][ranks]") {
  for (const auto& mesh : meshes_to_part())
    for_each_mesh_partition(*mesh, [&](const MeshPartition& partition) {
      std::vector<MeshPart> parts;
      for (int p = 0; p < partition.parts(); ++p) parts.emplace_back(*mesh, partition, p);
      for (const Entity entity : all_entities) {
        if (entity == Entity::edge && mesh->dims == 2) continue;
        const auto touched = touching(*mesh, partition, entity);
        std::vector<int> owned(touched.size(), 0);
        for (const MeshPart& part : parts)
          for (int e = 0; e < int(part.numbers(entity).size()); ++e)
            if (part.owns(entity, e)) ++owned[std::size_t(part.numbers(entity)[std::size_t(e)])];
        CHECK(owned == std::vector<int>(owned.size(), 1));
        for (std::size_t e = 0; e < touched.size(); ++e)
          if (partition.owners(entity)[e] != *touched[e].rbegin()) FAIL("entity " << e);
      }
    });
}

TEST_CASE("a part has complete lists of what it owns, in the order of the whole mesh", "[mesh][ranks]") {
  int compared = 0;
  for (const auto& mesh : meshes_to_part())
    for_each_mesh_partition(*mesh, [&](const MeshPartition& partition) {
      if (partition.parts() % 2 == 0) return;
      for (int p = 0; p < partition.parts(); ++p) {
        const MeshPart part(*mesh, partition, p);
        for (const Connection c : {Connection::face_cells, Connection::cell_faces, Connection::face_edges,
                                   Connection::edge_faces, Connection::cell_nodes}) {
          const Entity at = entities_with(c, mesh->dims), to = neighbours_in(c, mesh->dims);
          const HostLists here = lists_of(part.mesh(), c), there = lists_of(*mesh, c);
          for (int e = 0; e < here.entities; ++e) {
            if (!part.owns(at, e)) continue;
            ++compared;
            if (in_whole(part, here, to, e) != in_whole(there, part.numbers(at)[std::size_t(e)]))
              FAIL("connection " << int(c) << ", entity " << e);
          }
        }
      }
    });
  CHECK(compared > 10000);
}

// By hand: the cut is the line in the middle, with 3 nodes and 2 faces. Half of the mesh has 4 cells, 6 nodes
// and 9 faces. Every triangle touches the line, so that each part has all 8 cells.
TEST_CASE("a 2x2 lattice of triangles cut in two has the counts of a hand calculation", "[mesh][ranks]") {
  const Mesh mesh = numbered(triangles(2, 2, 0, 1), Numbering::stored, 1);
  const MeshPartition partition = MeshPartition::of(mesh, 2, MeshCut::bisection);
  CHECK(partition.cells_of(0) == 4);
  CHECK(partition.cells_of(1) == 4);
  CHECK(partition.cut_faces() == 2);
  CHECK(partition.imbalance() == 0);
  const auto owned_by = [&](Entity entity, int part) {
    const std::vector<int>& owners = partition.owners(entity);
    return std::count(owners.begin(), owners.end(), part);
  };
  CHECK(owned_by(Entity::node, 0) == 3);
  CHECK(owned_by(Entity::node, 1) == 6);
  CHECK(owned_by(Entity::face, 0) == 7);
  CHECK(owned_by(Entity::face, 1) == 9);
  const MeshPart part(mesh, partition, 0);
  CHECK(part.mesh().cells() == 8);
  CHECK(part.mesh().faces() == 16);
  CHECK(part.mesh().inner_faces == 8);
}

TEST_CASE("bisection gives all parts the same number of cells to within one", "[mesh][ranks]") {
  for (const auto& mesh : meshes_to_part())
    for (int parts = 1; parts <= 9; ++parts) {
      const MeshPartition partition = MeshPartition::of(*mesh, parts, MeshCut::bisection);
      const int least = mesh->cells() / parts;
      for (int p = 0; p < parts; ++p)
        CHECK((partition.cells_of(p) - least) * (partition.cells_of(p) - least - 1) == 0);
    }
}

TEST_CASE("bisection of a square in four is near the least cut", "[mesh][ranks]") {
  const Mesh mesh = numbered(triangles(40, 40, 0, 1), Numbering::random, 1);
  const MeshPartition partition = MeshPartition::of(mesh, 4, MeshCut::bisection);
  CHECK(partition.cut_faces() >= 80);  // two lines of 40 faces
  CHECK(partition.cut_faces() < 200);
}

TEST_CASE("a mesh is not cut into more parts than it has cells, nor by an unknown word", "[mesh][ranks]") {
  const Mesh mesh = numbered(triangles(1, 1, 0, 1), Numbering::stored, 1);
  CHECK_THROWS_WITH(MeshPartition::of(mesh, 3, MeshCut::bisection),
                    "a mesh of 2 cells cannot be cut into 3 parts");
  CHECK_THROWS_WITH(mesh_cut_from("slabs"),
                    "unknown partition 'slabs' of a mesh; expected bisection or metis");
  CHECK_THROWS_WITH(MeshPartition(mesh, {0, 2}, 2), "a cell is in part 2 of 2");
  CHECK_THROWS_WITH(MeshPartition(mesh, {0}, 1), "1 parts for 2 cells");
}

TEST_CASE("METIS cuts few faces, or says why it is absent", "[mesh][ranks]") {
  const Mesh mesh = numbered(triangles(40, 40, 0, 1), Numbering::random, 1);
  if (!not_built_reason(MeshCut::metis).empty()) {
    CHECK_THROWS_WITH(MeshPartition::of(mesh, 4, MeshCut::metis), ContainsSubstring("libmetis-dev"));
    return;
  }
  const MeshPartition partition = MeshPartition::of(mesh, 4, MeshCut::metis);
  CHECK(partition.cut_faces() < 160);
  CHECK(partition.imbalance() < 0.05);
}
