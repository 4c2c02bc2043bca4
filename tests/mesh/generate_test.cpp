#include "kernels/mesh/generate.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/mesh/geometry.hpp"
#include "kernels/mesh/random.hpp"
#include "tests/catch.hpp"
#include "tests/mesh/meshes.hpp"

namespace cfdmark {
namespace {

long long euler_number(const MeshCounts& n) { return n.nodes - n.edges + n.faces - n.cells; }

bool is_on_boundary(const Point& p, const Point& sides, int dims) {
  for (int d = 0; d < dims; ++d)
    if (p[d] == 0 || p[d] == sides[d]) return true;
  return false;
}

TEST_CASE("a generated mesh has the published counts of triangles of table 8.3") {
  const MeshCounts published{63312, 95208, 0, 31897, 480};
  CHECK(counts_of_triangles(120, 120, 17256) == published);
  CHECK(counts_of(connected(triangles(120, 120, 17256, 1))) == published);
}

TEST_CASE("a generated mesh has the published counts of tetrahedra of table 8.3") {
  const MeshCounts published{276291, 568608, 58677 + 292316, 58677, 32052};
  CHECK(counts_of_tetrahedra(7, 22, 271, 8629) == published);
  CHECK(counts_of(connected(tetrahedra(7, 22, 271, 8629, 1))) == published);
}

TEST_CASE("a bar stands in for the crankshaft with the counts of its closed formula") {
  const MeshCounts n = counts_of_tetrahedra(5, 45, 129, 1445);
  CHECK(n.cells == 178485);
  CHECK(n.faces == 370320);
  CHECK(n.nodes == 37325);
  CHECK(counts_of(connected(tetrahedra(5, 45, 129, 1445, 1))) == n);
}

TEST_CASE("a cube of n boxes a side has 7 n^3 + 9 n^2 + 3 n edges") {
  for (int n : {1, 2, 5}) {
    CHECK(counts_of_tetrahedra(n, n, n).edges == 7 * n * n * n + 9 * n * n + 3 * n);
    CHECK(connected(tetrahedra(n, n, n, 0, 1)).edges() == 7 * n * n * n + 9 * n * n + 3 * n);
  }
}

TEST_CASE("a connected mesh has the counts of the closed formula") {
  CHECK(counts_of(connected(triangles(1, 1, 0, 1))) == MeshCounts{2, 5, 0, 4, 4});
  CHECK(counts_of(connected(tetrahedra(1, 1, 1, 0, 1))) == MeshCounts{6, 18, 19, 8, 12});
  for (int extra : {0, 1, 20}) {
    CHECK(counts_of(connected(triangles(4, 5, extra, 1))) == counts_of_triangles(4, 5, extra));
    CHECK(counts_of(connected(tetrahedra(2, 3, 4, extra, 1))) == counts_of_tetrahedra(2, 3, 4, extra));
  }
}

TEST_CASE("a square and a box have the Euler number 1") {
  for (const Mesh& mesh : small_meshes()) {
    MeshCounts n = counts_of(mesh);
    if (mesh.dims == 2) n = {0, n.cells, n.faces, n.nodes, 0};
    CHECK(euler_number(n) == 1);
  }
}

TEST_CASE("all cells have positive volumes, the smallest about half or a third of the mean") {
  const std::vector<double> flat = cell_volumes(triangles(100, 100, 0, 1));
  const std::vector<double> solid = cell_volumes(tetrahedra(20, 20, 20, 0, 1));
  const auto smallest = [](const std::vector<double>& v) {
    return *std::min_element(v.begin(), v.end()) * double(v.size());
  };
  CHECK(smallest(flat) > 0.4);
  CHECK(smallest(flat) < 0.6);
  CHECK(smallest(solid) > 0.25);
  CHECK(smallest(solid) < 0.5);
}

TEST_CASE("volumes sum to that of the square or the box") {
  CHECK(volume_of(triangles(49, 31, 0, 1)) == Approx(1).epsilon(1e-13));
  CHECK(volume_of(triangles(49, 31, 1000, 1)) == Approx(1).epsilon(1e-13));
  CHECK(volume_of(tetrahedra(4, 3, 8, 100, 1)) == Approx(4 * 3 / 64.0).epsilon(1e-13));
}

TEST_CASE("nodes of the boundary stay in place and others move by less than 0.15 of a box") {
  const Mesh mesh = tetrahedra(3, 4, 7, 0, 5);
  const Point sides{3 / 7.0, 4 / 7.0, 1};
  double most = 0;
  for (int n = 0; n < int(mesh.nodes.size()); ++n) {
    const double at[3] = {n % 4 / 7.0, n / 4 % 5 / 7.0, n / 20 / 7.0};
    const bool stays = is_on_boundary({at[0], at[1], at[2]}, sides, 3);
    for (int d = 0; d < 3; ++d) {
      const double moved = std::abs(mesh.nodes[n][d] - at[d]) * 7;
      if (stays) REQUIRE(moved == 0);
      most = std::max(most, moved);
    }
  }
  CHECK(most < 0.15 + 1e-12);
  CHECK(most > 0.14);
}

TEST_CASE("sides of the square and of the box are exactly 0 and 1") {
  for (const Mesh& mesh : {triangles(49, 49, 0, 1), tetrahedra(3, 49, 2, 0, 1)}) {
    double high = 0;
    int at_zero = 0, at_one = 0;
    for (const Point& p : mesh.nodes) {
      high = std::max(high, p[1]);
      at_zero += p[1] == 0;
      at_one += p[1] == 1;
    }
    CHECK(high == 1);
    CHECK(at_zero == at_one);
    CHECK(at_zero == (mesh.dims == 2 ? 50 : 12));
  }
}

TEST_CASE("one seed gives one mesh and another seed another") {
  CHECK(triangles(9, 9, 30, 7).nodes == triangles(9, 9, 30, 7).nodes);
  CHECK(triangles(9, 9, 30, 7).cell_nodes == triangles(9, 9, 30, 7).cell_nodes);
  CHECK(triangles(9, 9, 30, 7).nodes != triangles(9, 9, 30, 8).nodes);
  CHECK(triangles(9, 9, 0, 7).cell_nodes != triangles(9, 9, 0, 8).cell_nodes);
  CHECK(tetrahedra(3, 3, 3, 30, 7).cell_nodes == tetrahedra(3, 3, 3, 30, 7).cell_nodes);
  CHECK(tetrahedra(3, 3, 3, 30, 7).cell_nodes != tetrahedra(3, 3, 3, 30, 8).cell_nodes);
}

TEST_CASE("both diagonals occur about equally often") {
  const Mesh mesh = triangles(100, 100, 0, 1);
  int rising = 0;
  for (int quad = 0; quad < 10000; ++quad)
    rising += mesh.cell_nodes[6 * quad + 3] == mesh.cell_nodes[6 * quad];
  CHECK(rising > 4800);
  CHECK(rising < 5200);
}

TEST_CASE("no node of a flipped mesh lies inside the circle of a neighbouring triangle") {
  const Mesh mesh = connected(triangles(20, 20, 300, 3));
  const auto angle_at = [&](int cell, int face) {  // of the cell's node opposite the face, in degrees
    const int *n = &mesh.cell_nodes[3 * cell], *f = &mesh.face_nodes[2 * face];
    const int apex = n[0] + n[1] + n[2] - f[0] - f[1];
    const Point a = difference(mesh.nodes[f[0]], mesh.nodes[apex]),
                b = difference(mesh.nodes[f[1]], mesh.nodes[apex]);
    return std::acos(dot(a, b) / (length(a) * length(b))) * 180 / std::acos(-1.0);
  };
  // Two triangles are Delaunay exactly if the angles opposite their face sum to at most 180 degrees.
  for (int f = 0; f < mesh.inner_faces; ++f)
    REQUIRE(angle_at(mesh.face_cells[2 * f], f) + angle_at(mesh.face_cells[2 * f + 1], f) < 180 + 1e-4);
}

TEST_CASE("sizes that make no mesh are refused with the fix") {
  CHECK_THROWS_WITH(triangles(0, 4, 0, 1),
                    "a mesh of 0x4 boxes: use at least 1 in each direction and at most 1e9");
  CHECK_THROWS_WITH(triangles(2, 2, 9, 1), "9 extra nodes in a mesh of 2x2 boxes: use 0 to 8, one per cell");
  CHECK_THROWS_WITH(tetrahedra(1, 1, 1, -1, 1),
                    "-1 extra nodes in a mesh of 1x1x1 boxes: use 0 to 6, one per cell");
  CHECK_THROWS_WITH(counts_of_triangles(30000, 30000),
                    "a mesh of 30000x30000 boxes and 0 extra nodes is too large for 32-bit numbers");
  CHECK_THROWS_AS(counts_of_tetrahedra(2000000000, 2000000000, 2000000000), std::invalid_argument);
}

TEST_CASE("random numbers are those of splitmix64, one after another or by index") {
  SplitMix64 random(1234567);
  // The first numbers of the seed 1234567 as other implementations give them.
  CHECK(random.next() == 6457827717110365317u);
  CHECK(random.next() == 3203168211198807973u);
  CHECK(random.next() == 9817491932198370423u);
  CHECK(SplitMix64::at(1234567, 2) == 9817491932198370423u);
  CHECK(SplitMix64::signed_unit(0) == -1);
  CHECK(SplitMix64::signed_unit(~0ull) < 1);
}

}  // namespace
}  // namespace cfdmark
