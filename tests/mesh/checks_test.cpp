#include "kernels/mesh/checks.hpp"

#include <cmath>

#include "kernels/mesh/number.hpp"
#include "tests/catch.hpp"
#include "tests/mesh/meshes.hpp"

namespace cfdmark {
namespace {

using Reasons = std::vector<std::string>;

TEST_CASE("generated meshes have no faults under any numbering") {
  for (const Mesh& mesh : small_meshes())
    for (Numbering n : all_numberings)
      if (not_built_reason(n).empty()) CHECK(faults(numbered(mesh, n, 3)) == Reasons{});
}

TEST_CASE("the outward area vectors of every cell sum to 0") {
  for (const Mesh& mesh : small_meshes()) CHECK(worst_closure(mesh) < 1e-14);
}

TEST_CASE("an inverted cell is named") {
  Mesh mesh = two_triangles();
  mesh.cell_nodes = {0, 1, 2, 0, 3, 2};
  const Reasons reasons = faults_of_cells(mesh);
  REQUIRE(reasons.size() == 2);
  CHECK_THAT(reasons[0], ContainsSubstring("cells 0 and 1 share the face with nodes 0, 2"));
  CHECK_THAT(reasons[1], ContainsSubstring("cell 1 has area -0.5: it must be positive"));
}

TEST_CASE("the first of several flat cells is named, and the others are counted") {
  Mesh mesh = two_tetrahedra();
  mesh.nodes[1] = mesh.nodes[2];
  const Reasons reasons = faults_of_cells(mesh);
  REQUIRE(reasons.size() == 1);
  CHECK_THAT(reasons[0], ContainsSubstring("cell 0 has volume 0: it must be positive"));
  CHECK_THAT(reasons[0], ContainsSubstring("; 1 more have the same fault"));
}

TEST_CASE("duplicate cells are named") {
  Mesh mesh = two_tetrahedra();
  mesh.cell_nodes.insert(mesh.cell_nodes.end(), {1, 2, 0, 3});
  CHECK(faults_of_cells(mesh) == Reasons{"cells 0 and 2 have the same nodes"});
}

TEST_CASE("a node without cells is named") {
  Mesh mesh = two_triangles();
  mesh.nodes.push_back({2, 2, 0});
  CHECK(faults_of_cells(mesh) == Reasons{"no cell has node 4"});
}

TEST_CASE("a coordinate that is not finite is named") {
  Mesh mesh = two_triangles();
  mesh.nodes[3][1] = std::nan("");
  const Reasons reasons = faults_of_cells(mesh);
  REQUIRE(reasons.size() == 2);
  CHECK(reasons[0] == "node 3 has coordinates 0, nan, 0: use finite numbers");
}

TEST_CASE("a mesh without cells is a fault") {
  CHECK(faults_of_cells(Mesh{}) == Reasons{"the mesh has no cells"});
}

TEST_CASE("a mesh with faults cannot pass the check") {
  CHECK_NOTHROW(check(connected(two_triangles())));
  Mesh mesh = connected(two_triangles());
  mesh.nodes[1] = {0.2, 0.8, 0};
  CHECK_THROWS_WITH(check(mesh), ContainsSubstring("cell 0 has area"));
}

TEST_CASE("a mesh whose connections are missing or old is refused") {
  CHECK(faults(two_triangles()).size() == 1);
  Mesh mesh = connected(two_triangles());
  mesh.cell_nodes = {1, 2, 3, 1, 3, 0};
  CHECK_THROWS_WITH(check(mesh),
                    ContainsSubstring("face 0 of cell 0 is not the face of the mesh that it refers to"));
}

TEST_CASE("every single change of a connection is found") {
  for (const Mesh& good : {connected(two_triangles()), connected(two_tetrahedra())})
    for (std::vector<int> Mesh::*list :
         {&Mesh::face_nodes, &Mesh::face_cells, &Mesh::cell_faces, &Mesh::edge_nodes, &Mesh::face_edges})
      for (std::size_t i = 0; i < (good.*list).size(); ++i)
        for (int value : {0, 1, -1, 99, -99, ~(good.*list)[i]}) {
          Mesh mesh = good;
          if ((mesh.*list)[i] == value) continue;
          (mesh.*list)[i] = value;
          INFO("entry " << i << " set to " << value);
          CHECK_FALSE(faults(mesh).empty());
        }
}

TEST_CASE("a wrong number of inner faces is found") {
  Mesh mesh = connected(two_triangles());
  mesh.inner_faces = 2;
  CHECK_THROWS_WITH(check(mesh),
                    ContainsSubstring("2 inner faces and 3 at the boundary do not have the 6 sides"));
}

}  // namespace
}  // namespace cfdmark
