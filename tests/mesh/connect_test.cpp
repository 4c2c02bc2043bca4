#include "kernels/mesh/connect.hpp"

#include <string>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "kernels/mesh/number.hpp"
#include "tests/catch.hpp"
#include "tests/mesh/meshes.hpp"

namespace cfdmark {
namespace {

using Numbers = std::vector<int>;

std::string refusal(Mesh mesh) {
  try {
    connect(mesh);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST_CASE("two triangles have the connections worked out by hand") {
  const Mesh m = connected(two_triangles());
  CHECK(m.inner_faces == 1);
  // Cell 0 is 0 1 2, its faces opposite these nodes: 1-2, 2-0, 0-1. Cell 1 is 0 2 3: 2-3, 3-0, 0-2.
  CHECK(m.face_nodes == Numbers{2, 0, 1, 2, 0, 1, 2, 3, 3, 0});
  CHECK(m.face_cells == Numbers{0, 1, 0, -1, 0, -1, 1, -1, 1, -1});
  CHECK(m.cell_faces == Numbers{1, 0, 2, 3, 4, ~0});
  CHECK(m.edges() == 0);
  CHECK(cell_neighbours(m) == Numbers{-1, 1, -1, -1, -1, 0});
  const Incidence around = faces_around(m);
  CHECK(around.begin == Numbers{0, 3, 5, 8, 10});
  CHECK(around.entries == Numbers{0, ~2, 4, ~1, 2, ~0, 1, ~3, 3, ~4});
}

TEST_CASE("two tetrahedra have the connections worked out by hand") {
  const Mesh m = connected(two_tetrahedra());
  CHECK(counts_of(m) == MeshCounts{2, 7, 9, 5, 6});
  // The shared face is opposite node 0 of both cells. Seen from cell 0 its nodes are 1 2 3.
  CHECK(m.face_cells == Numbers{0, 1, 0, -1, 0, -1, 0, -1, 1, -1, 1, -1, 1, -1});
  CHECK(m.face_nodes == Numbers{1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1, 4, 2, 3, 4, 1, 2, 4, 3, 1});
  CHECK(m.cell_faces == Numbers{0, 1, 2, 3, ~0, 4, 5, 6});
  CHECK(m.edge_nodes == Numbers{0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 1, 4, 2, 3, 2, 4, 3, 4});
  CHECK(m.face_edges == Numbers{3, 6, ~4, 2, ~6, ~1, 0, 4, ~2, 1, ~3, ~0, ~7, 6, 8, ~5, 3, 7, ~8, ~4, 5});
  const Incidence around = faces_around(m);
  CHECK(around.begin == Numbers{0, 2, 4, 6, 9, 12, 14, 17, 19, 21});
  CHECK(Numbers(around.entries.begin(), around.entries.begin() + 9) ==
        Numbers{2, ~3, ~1, 3, 1, ~2, 0, ~3, 5});
}

TEST_CASE("the divergence of a curl is 0 in integers") {
  for (const Mesh& mesh : small_meshes()) CHECK(all_zero(divergence_of_curl(mesh)));
}

TEST_CASE("a reversed edge or face makes the divergence of a curl differ from 0") {
  Mesh mesh = connected(two_tetrahedra());
  mesh.face_edges[0] = reversed(mesh.face_edges[0]);
  CHECK_FALSE(all_zero(divergence_of_curl(mesh)));
}

TEST_CASE("faces are numbered by lower, then higher cell, and those of the boundary by cell after them") {
  for (const Mesh& mesh : small_meshes()) {
    const auto cell = [&](int face, int i) { return mesh.face_cells[2 * face + i]; };
    for (int f = 0; f < mesh.faces(); ++f) {
      const bool inner = f < mesh.inner_faces;
      REQUIRE((inner ? cell(f, 1) > cell(f, 0) : cell(f, 1) == -1));
      if (f == 0 || f == mesh.inner_faces) continue;
      REQUIRE(
          (cell(f - 1, 0) < cell(f, 0) || (cell(f - 1, 0) == cell(f, 0) && cell(f - 1, 1) <= cell(f, 1))));
    }
  }
}

TEST_CASE("edges are numbered by lower, then higher node") {
  const Mesh mesh = connected(tetrahedra(4, 3, 5, 100, 4));
  for (int e = 0; e < mesh.edges(); ++e) {
    const int* nodes = &mesh.edge_nodes[2 * e];
    REQUIRE(nodes[0] < nodes[1]);
    if (e > 0) REQUIRE((nodes[-2] < nodes[0] || (nodes[-2] == nodes[0] && nodes[-1] < nodes[1])));
  }
}

TEST_CASE("faces around a node or an edge are the columns of the curl") {
  for (const Mesh& mesh : small_meshes()) {
    const Incidence around = faces_around(mesh);
    const bool flat = mesh.dims == 2;
    CHECK(int(around.begin.size()) == mesh.count(flat ? Entity::node : Entity::edge) + 1);
    CHECK(around.entries.size() == mesh.face_nodes.size());
    for (int owner = 0; owner + 1 < int(around.begin.size()); ++owner)
      for (int i = around.begin[owner]; i < around.begin[owner + 1]; ++i) {
        const int face = number_of(around.entries[i]);
        const bool against = is_reversed(around.entries[i]);
        if (flat)
          REQUIRE(mesh.face_nodes[2 * face + (against ? 0 : 1)] == owner);
        else
          REQUIRE(std::count(&mesh.face_edges[3 * face], &mesh.face_edges[3 * face] + 3,
                             against ? reversed(owner) : owner) == 1);
      }
  }
}

TEST_CASE("a mesh that cannot be connected is refused and its cells are named") {
  Mesh mesh = two_triangles();
  mesh.cell_nodes = {0, 1, 2, 0, 1, 1};
  CHECK(refusal(mesh) == "cell 1 has nodes 0, 1, 1: its nodes must differ");
  mesh.cell_nodes = {0, 1, 2, 0, 2, 4};
  CHECK(refusal(mesh) == "cell 1 has nodes 0, 2, 4: nodes are numbered from 0 to 3");
  mesh.cell_nodes = {0, 1, 2, -1, 2, 3};
  CHECK(refusal(mesh) == "cell 1 has nodes -1, 2, 3: nodes are numbered from 0 to 3");
  mesh.cell_nodes = {0, 1, 2, 0, 3, 2};
  CHECK_THAT(refusal(mesh),
             ContainsSubstring("cells 0 and 1 share the face with nodes 0, 2 in the same orientation"));
  mesh.cell_nodes = {0, 1, 2, 0, 2, 3, 1, 2, 0};
  CHECK(refusal(mesh) == "cells 0 and 2 have the same nodes");
  mesh.nodes.push_back({2, 2, 0});
  mesh.cell_nodes = {0, 1, 2, 0, 2, 3, 0, 2, 4};
  CHECK(refusal(mesh) ==
        "cells 0, 1 and 2 share the face with nodes 0, 2: a face belongs to at most two cells");
  mesh.cell_nodes = {0, 1, 2, 3};
  CHECK(refusal(mesh) == "4 node numbers do not make cells of 3 nodes each");
  mesh.dims = 1;
  CHECK(refusal(mesh) == "a mesh has 2 or 3 dimensions, not 1");
}

TEST_CASE("tetrahedra that cannot be connected are refused and named") {
  Mesh mesh = two_tetrahedra();
  std::swap(mesh.cell_nodes[4], mesh.cell_nodes[5]);
  CHECK_THAT(refusal(mesh), ContainsSubstring("cells 0 and 1 share the face with nodes 1, 2, 3 in the same"));
  mesh = two_tetrahedra();
  mesh.nodes.push_back({2, 2, 2});
  mesh.cell_nodes.insert(mesh.cell_nodes.end(), {5, 1, 3, 2});
  CHECK_THAT(refusal(mesh), ContainsSubstring("cells 0, 1 and 2 share the face with nodes 1, 2, 3: a face"));
}

#ifdef _OPENMP
TEST_CASE("meshes are the same with any number of threads") {
  const int threads = omp_get_max_threads();
  const auto meshes_with = [&](int count) {
    omp_set_num_threads(count);
    std::vector<Mesh> meshes = small_meshes();
    for (Mesh& mesh : meshes) mesh = numbered(std::move(mesh), Numbering::hilbert, 1);
    omp_set_num_threads(threads);
    return meshes;
  };
  const std::vector<Mesh> one = meshes_with(1), several = meshes_with(5);
  for (std::size_t i = 0; i < one.size(); ++i) {
    CHECK(one[i].nodes == several[i].nodes);
    for (Numbers Mesh::*list : {&Mesh::cell_nodes, &Mesh::face_nodes, &Mesh::face_cells, &Mesh::cell_faces,
                                &Mesh::edge_nodes, &Mesh::face_edges})
      CHECK(one[i].*list == several[i].*list);
    CHECK(faces_around(one[i]).entries == faces_around(several[i]).entries);
  }
}
#endif

TEST_CASE("a mesh without cells has no faces") {
  Mesh mesh;
  CHECK(counts_of(connected(mesh)) == MeshCounts{0, 0, 0, 0, 0});
}

}  // namespace
}  // namespace cfdmark
