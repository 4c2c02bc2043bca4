#include "kernels/mesh/number.hpp"

#include <cmath>
#include <numeric>
#include <set>

#include "kernels/mesh/geometry.hpp"
#include "kernels/mesh/radix_sort.hpp"
#include "kernels/mesh/random.hpp"
#include "kernels/mesh/space_curve.hpp"
#include "tests/catch.hpp"
#include "tests/mesh/meshes.hpp"

namespace cfdmark {
namespace {

std::vector<Numbering> built_numberings() {
  std::vector<Numbering> built;
  for (Numbering n : all_numberings)
    if (not_built_reason(n).empty()) built.push_back(n);
  return built;
}

// Returns each cell as the coordinates of its nodes, sorted: a number-free description of a mesh.
std::multiset<std::vector<Point>> shapes(const Mesh& mesh) {
  std::multiset<std::vector<Point>> all;
  for (int c = 0; c < mesh.cells(); ++c) {
    std::vector<Point> shape;
    for (int k = 0; k <= mesh.dims; ++k)
      shape.push_back(mesh.nodes[mesh.cell_nodes[c * (mesh.dims + 1) + k]]);
    std::sort(shape.begin(), shape.end());
    all.insert(shape);
  }
  return all;
}

TEST_CASE("every numbering keeps counts, cells and volume") {
  for (const Mesh& mesh : small_meshes())
    for (Numbering n : built_numberings()) {
      INFO(to_string(n));
      const Mesh other = numbered(mesh, n, 5);
      CHECK(counts_of(other) == counts_of(mesh));
      CHECK(shapes(other) == shapes(mesh));
      CHECK(volume_of(other) == Approx(volume_of(mesh)).epsilon(1e-13));
      CHECK(all_zero(divergence_of_curl(other)));
    }
}

TEST_CASE("every numbering but the stored one orders nodes by their lowest cell") {
  for (const Mesh& mesh : small_meshes())
    for (Numbering n : built_numberings()) {
      if (n == Numbering::stored) continue;
      const Mesh other = numbered(mesh, n, 5);
      int next = 0;
      for (int node : other.cell_nodes) {
        REQUIRE(node <= next + mesh.dims);
        next = std::max(next, node + 1);
      }
      CHECK(next == int(other.nodes.size()));
    }
}

TEST_CASE("an order of cells has each cell once") {
  const Mesh mesh = tetrahedra(4, 3, 5, 100, 4);
  std::vector<int> all(mesh.cells());
  std::iota(all.begin(), all.end(), 0);
  for (Numbering n : built_numberings()) {
    std::vector<int> order = cell_order(mesh, n, 1);
    CHECK((order == all) == (n == Numbering::stored));
    std::sort(order.begin(), order.end());
    CHECK(order == all);
  }
}

TEST_CASE("the stored numbering leaves nodes and cells as they are") {
  const Mesh mesh = triangles(9, 7, 40, 2), other = numbered(mesh, Numbering::stored, 1);
  CHECK(other.nodes == mesh.nodes);
  CHECK(other.cell_nodes == mesh.cell_nodes);
  CHECK(other.faces() == counts_of_triangles(9, 7, 40).faces);
}

TEST_CASE("an order moves cells and nodes as worked out by hand") {
  Mesh mesh = two_triangles();
  reorder(mesh, {1, 0});
  // Cell 1 had the nodes 0, 2, 3: they become 0, 1, 2, and node 1 becomes 3.
  CHECK(mesh.cell_nodes == std::vector<int>{0, 1, 2, 0, 3, 1});
  CHECK(mesh.nodes == std::vector<Point>{{0, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0, 0}});
}

TEST_CASE("nodes without cells come last") {
  Mesh mesh = two_triangles();
  mesh.nodes.insert(mesh.nodes.begin(), {9, 9, 0});
  for (int& node : mesh.cell_nodes) ++node;
  reorder(mesh, {0, 1});
  CHECK(mesh.nodes == std::vector<Point>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {9, 9, 0}});
  CHECK(mesh.cell_nodes == two_triangles().cell_nodes);
}

TEST_CASE("random faces are those of the random numbering in another order, inner ones first") {
  for (const Mesh& mesh : small_meshes()) {
    const Mesh sorted = numbered(mesh, Numbering::random, 5),
               mixed = numbered(mesh, Numbering::random_faces, 5);
    CHECK(mixed.cell_nodes == sorted.cell_nodes);
    CHECK(mixed.inner_faces == sorted.inner_faces);
    CHECK(mixed.face_cells != sorted.face_cells);
    for (int f = 0; f < mixed.faces(); ++f) {
      REQUIRE((mixed.face_cells[2 * f + 1] >= 0) == (f < mixed.inner_faces));
      const int c = mixed.face_cells[2 * f];
      const int* faces = &mixed.cell_faces[c * (mesh.dims + 1)];
      const int k = int(std::find(faces, faces + mesh.dims + 1, f) - faces);
      REQUIRE(k <= mesh.dims);
      const int before = sorted.cell_faces[c * (mesh.dims + 1) + k];
      REQUIRE(std::equal(&mixed.face_nodes[f * mesh.dims], &mixed.face_nodes[f * mesh.dims] + mesh.dims,
                         &sorted.face_nodes[before * mesh.dims]));
    }
  }
}

TEST_CASE("distances of cells are those worked out by hand") {
  const NumberingFacts two = numbering_facts(connected(two_triangles()));
  CHECK(two.mean_distance == 1);
  CHECK(two.most_distance == 1);
  CHECK(two.same_line == 1);
  // A row of 32 rectangles: of the 63 inner faces only one joins cells of different lines, 31 and 32 or so.
  const NumberingFacts row = numbering_facts(connected(triangles(32, 1, 0, 1)));
  CHECK(row.same_line == Approx(62 / 63.0));
}

TEST_CASE("curves and reverse Cuthill-McKee bring the cells of a face closer than a random order does") {
  for (const Mesh& mesh : {triangles(40, 40, 0, 1), tetrahedra(10, 10, 10, 0, 1)}) {
    const auto facts = [&](Numbering n) { return numbering_facts(numbered(mesh, n, 1)); };
    const NumberingFacts random = facts(Numbering::random), rcm = facts(Numbering::rcm);
    CHECK(random.mean_distance == Approx(mesh.cells() / 3.0).epsilon(0.05));
    CHECK(rcm.most_distance < 0.2 * random.most_distance);
    CHECK(rcm.mean_distance < 0.1 * random.mean_distance);
    for (Numbering n : {Numbering::hilbert, Numbering::morton}) {
      CHECK(facts(n).mean_distance < 0.2 * random.mean_distance);
      CHECK(facts(n).same_line > 0.4);
    }
  }
}

TEST_CASE("reverse Cuthill-McKee of a strip has the least bandwidth that a path has") {
  const Mesh mesh = numbered(numbered(triangles(50, 1, 0, 1), Numbering::random, 3), Numbering::rcm, 0);
  CHECK(numbering_facts(mesh).most_distance == 1);
}

TEST_CASE("reverse Cuthill-McKee numbers all parts of a mesh that is not connected") {
  Mesh mesh = two_triangles();
  for (int i = 0; i < 4; ++i) mesh.nodes.push_back({mesh.nodes[i][0] + 5, mesh.nodes[i][1], 0});
  mesh.cell_nodes = {0, 1, 2, 4, 5, 6, 0, 2, 3, 4, 6, 7};
  const Mesh other = numbered(mesh, Numbering::rcm, 0);
  CHECK(other.inner_faces == 2);
  CHECK(numbering_facts(other).most_distance == 1);
}

TEST_CASE("successive places of the Hilbert curve are neighbours, and the curve visits every box once") {
  for (int dims : {2, 3}) {
    constexpr int bits = 4, side = 1 << bits;
    std::vector<LatticePoint> path(dims == 2 ? side * side : side * side * side, LatticePoint{99, 99, 99});
    for (unsigned n = 0; n < path.size(); ++n) {
      const LatticePoint p{n % side, n / side % side, n / side / side};
      const auto key = hilbert_key(p, dims, bits);
      REQUIRE(key < path.size());
      path[key] = p;
    }
    for (std::size_t i = 1; i < path.size(); ++i) {
      int distance = 0;
      for (int d = 0; d < 3; ++d) distance += std::abs(int(path[i][d]) - int(path[i - 1][d]));
      REQUIRE(distance == 1);
    }
  }
}

TEST_CASE("the Hilbert curve of 16 bits refines that of fewer bits") {
  SplitMix64 random(1);
  for (int n = 0; n < 1000; ++n)
    for (int dims : {2, 3}) {
      LatticePoint p, coarse;
      for (int d = 0; d < 3; ++d) p[d] = std::uint32_t(random.below(1 << 16));
      for (int d = 0; d < 3; ++d) coarse[d] = p[d] >> 1;
      REQUIRE(hilbert_key(p, dims, 17) >> dims == hilbert_key(coarse, dims, 16));
    }
}

TEST_CASE("the Morton key takes the bits of the coordinates in turns") {
  CHECK(morton_key({0b101, 0b011, 0}, 2) == 0b01'10'11);
  CHECK(morton_key({0b10, 0b11, 0b01}, 3) == 0b011'110);
  CHECK(morton_key({0xffff, 0xffff, 0xffff}, 3) == (1ull << 48) - 1);
}

TEST_CASE("the radix sort is stable and sorts by all bits that it is given") {
  std::vector<Keyed<std::uint64_t>> items;
  SplitMix64 random(3);
  for (int i = 0; i < 5000; ++i) items.push_back({random.below(200) << 33 | random.below(3), i});
  auto expected = items;
  std::stable_sort(expected.begin(), expected.end(),
                   [](const auto& a, const auto& b) { return a.key < b.key; });
  radix_sort(items);
  for (std::size_t i = 0; i < items.size(); ++i) REQUIRE(items[i].value == expected[i].value);
}

TEST_CASE("a numbering has a name, and unknown names are refused with the valid ones") {
  for (Numbering n : all_numberings) CHECK(numbering_from(to_string(n)) == n);
  CHECK_THROWS_WITH(
      numbering_from("metis"),
      "unknown numbering 'metis': use stored, random, random_faces, rcm, hilbert, morton, nested");
}

TEST_CASE("a numbering that is not built is refused with the fix") {
  const std::string reason = not_built_reason(Numbering::nested);
  if (!reason.empty()) {
    CHECK_THAT(reason, ContainsSubstring("install libmetis-dev"));
    CHECK_THROWS_WITH(numbered(two_triangles(), Numbering::nested, 0), reason);
  }
}

}  // namespace
}  // namespace cfdmark
