#include "kernels/mesh/geometry.hpp"

#include <cmath>

#include "kernels/mesh/quality.hpp"
#include "tests/catch.hpp"
#include "tests/mesh/meshes.hpp"

namespace cfdmark {
namespace {

void check_point(const Point& p, const Point& expected) {
  for (int d = 0; d < 3; ++d) CHECK(p[d] == Approx(expected[d]).margin(1e-15));
}

TEST_CASE("two triangles have the geometry worked out by hand") {
  const Mesh m = connected(two_triangles());
  CHECK(cell_volumes(m) == std::vector<double>{0.5, 0.5});
  check_point(cell_centroid(m, 0), {2 / 3.0, 1 / 3.0, 0});
  check_point(cell_centroid(m, 1), {1 / 3.0, 2 / 3.0, 0});
  // Face 0 is the diagonal. Its normal points out of cell 0, which is below it.
  check_point(face_area(m, 0), {-1, 1, 0});
  check_point(face_centroid(m, 0), {0.5, 0.5, 0});
  check_point(face_area(m, 1), {1, 0, 0});
  check_point(face_area(m, 2), {0, -1, 0});
  check_point(face_area(m, 3), {0, 1, 0});
  check_point(face_area(m, 4), {-1, 0, 0});
}

TEST_CASE("two tetrahedra have the geometry worked out by hand") {
  const Mesh m = connected(two_tetrahedra());
  CHECK(cell_volume(m, 0) == Approx(1 / 6.0));
  CHECK(cell_volume(m, 1) == Approx(1 / 3.0));
  CHECK(volume_of(m) == Approx(0.5));
  check_point(cell_centroid(m, 0), {0.25, 0.25, 0.25});
  check_point(cell_centroid(m, 1), {0.5, 0.5, 0.5});
  check_point(face_area(m, 0), {0.5, 0.5, 0.5});
  check_point(face_centroid(m, 0), {1 / 3.0, 1 / 3.0, 1 / 3.0});
  check_point(face_area(m, 1), {-0.5, 0, 0});
  check_point(face_area(m, 2), {0, -0.5, 0});
  check_point(face_area(m, 3), {0, 0, -0.5});
}

TEST_CASE(
    "the normal of a face points from its first cell to its second, and out of the mesh at the boundary") {
  for (const Mesh& mesh : small_meshes())
    for (int f = 0; f < mesh.faces(); ++f) {
      const int second = mesh.face_cells[2 * f + 1];
      const Point from = cell_centroid(mesh, mesh.face_cells[2 * f]);
      const Point to = second < 0 ? face_centroid(mesh, f) : cell_centroid(mesh, second);
      REQUIRE(dot(face_area(mesh, f), difference(to, from)) > 0);
    }
}

TEST_CASE("the flux of the field x through a cell's faces is the cell's volume times its dimensions") {
  for (const Mesh& mesh : small_meshes()) {
    const std::vector<Point> areas = face_areas(mesh), centroids = face_centroids(mesh);
    const std::vector<double> volumes = cell_volumes(mesh);
    for (int c = 0; c < mesh.cells(); ++c) {
      double flux = 0;
      for (int k = 0; k <= mesh.dims; ++k) {
        const Oriented face = mesh.cell_faces[c * (mesh.dims + 1) + k];
        flux += sign_of(face) * dot(areas[number_of(face)], centroids[number_of(face)]);
      }
      REQUIRE(flux == Approx(mesh.dims * volumes[c]).epsilon(1e-10));
    }
  }
}

TEST_CASE("the curl of a linear stream function is the exact flux of its uniform flow") {
  const Mesh mesh = connected(triangles(9, 7, 40, 2));
  for (int f = 0; f < mesh.faces(); ++f) {
    // u = (ds/dy, -ds/dx) of s = 2 y - 3 x is (2, 3).
    const auto s = [&](int end) {
      const Point& p = mesh.nodes[mesh.face_nodes[2 * f + end]];
      return 2 * p[1] - 3 * p[0];
    };
    REQUIRE(s(1) - s(0) == Approx(dot(face_area(mesh, f), {2, 3, 0})).margin(1e-14));
  }
}

TEST_CASE("the curl of a linear vector potential is the exact flux of its uniform flow") {
  const Mesh mesh = connected(tetrahedra(4, 3, 5, 100, 4));
  const Point w{1, 2, 3};
  const auto along_edge = [&](int edge) {  // of A = w x r / 2, whose curl is w
    const Point &a = mesh.nodes[mesh.edge_nodes[2 * edge]], &b = mesh.nodes[mesh.edge_nodes[2 * edge + 1]];
    Point middle;
    for (int d = 0; d < 3; ++d) middle[d] = (a[d] + b[d]) / 2;
    return dot(cross(w, middle), difference(b, a)) / 2;
  };
  for (int f = 0; f < mesh.faces(); ++f) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      const Oriented edge = mesh.face_edges[3 * f + k];
      sum += sign_of(edge) * along_edge(number_of(edge));
    }
    REQUIRE(sum == Approx(dot(w, face_area(mesh, f))).margin(1e-14));
  }
}

TEST_CASE("two triangles have the quality worked out by hand") {
  const MeshQuality q = quality(connected(two_triangles()));
  CHECK(q.least_angle == Approx(45));
  CHECK(q.median_angle == Approx(45));
  // The diagonal is sqrt(2) long and its centroids are sqrt(2) / 3 apart: the ratio is 3. A side of length 1
  // whose middle is (1, 1/2) is sqrt(1/9 + 1/36) from (2/3, 1/3).
  CHECK(q.most_area_over_distance == Approx(3));
  CHECK(q.least_area_over_distance == Approx(1 / std::sqrt(5 / 36.0)));
  CHECK(q.mean_non_orthogonality == Approx(0).margin(1e-6));
}

TEST_CASE("the corner of a cube has right angles and angles of atan(sqrt(2)) between its faces") {
  const double degrees = 180 / std::acos(-1.0);
  CHECK(least_angle(two_tetrahedra(), 0) == Approx(std::atan(std::sqrt(2.0)) * degrees));
  CHECK(quality(connected(two_tetrahedra())).least_angle == Approx(std::atan(std::sqrt(2.0)) * degrees));
}

TEST_CASE("a skewed pair of triangles has the non-orthogonality worked out by hand") {
  Mesh mesh;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, -1, 0}};
  mesh.cell_nodes = {0, 1, 2, 0, 3, 1};
  // The face is the side from 0 to 1, with normal -y. The centroids are (1/3, 1/3) and (2/3, -1/3).
  const MeshQuality q = quality(connected(mesh));
  CHECK(q.mean_non_orthogonality == Approx(std::atan(0.5) * 180 / std::acos(-1.0)));
  CHECK(q.most_non_orthogonality == Approx(q.mean_non_orthogonality));
}

TEST_CASE("flips to Delaunay leave no angle below ten degrees in the triangles of table 8.3") {
  const MeshQuality q = quality(connected(triangles(120, 120, 17256, 1)));
  CHECK(q.least_angle > 10);
  CHECK(q.median_angle == Approx(39).margin(2));
}

}  // namespace
}  // namespace cfdmark
