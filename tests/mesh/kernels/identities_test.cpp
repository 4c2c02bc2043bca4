// Identities of the operators on meshes, and hand-worked values.
#include <cmath>

#include "kernels/mesh/geometry.hpp"
#include "kernels/mesh_curl/mesh_curl.hpp"
#include "kernels/mesh_divergence/mesh_divergence.hpp"
#include "kernels/mesh_dual_flux/mesh_dual_flux.hpp"
#include "kernels/mesh_gradient/mesh_gradient.hpp"
#include "kernels/mesh_integration/mesh_integration.hpp"
#include "kernels/mesh_interpolation/mesh_interpolation.hpp"
#include "kernels/mesh_node_gradient/mesh_node_gradient.hpp"
#include "kernels/mesh_rotation/mesh_rotation.hpp"
#include "tests/catch.hpp"
#include "tests/mesh/kernels/run_kernel.hpp"
#include "tests/mesh/meshes.hpp"

using namespace cfdmark;

namespace {

const Point wind = {1, 2, 3};

// Calls f(shape) for small meshes in fp64, with vectors in both layouts.
template <class F>
void for_each_shape(const F& f) {
  for (const Mesh& mesh : small_meshes())
    for (const VectorLayout vectors : {VectorLayout::planes, VectorLayout::packed})
      f(MeshShape{shared(mesh), Precision::fp64, vectors});
}

double whole(int e, int d) { return (e * 7 + d * 5) % 23 - 11; }

// Returns, for each edge (2-D: node), whether it lies on the boundary.
std::vector<bool> on_boundary(const Mesh& mesh) {
  std::vector<bool> on(std::size_t(mesh.count(edges_in(mesh.dims))));
  const HostLists edges = lists_of(mesh, Connection::face_edges);
  for (int face = mesh.inner_faces; face < mesh.faces(); ++face)
    for (int n = 0; n < edges.degree; ++n) on[std::size_t(number_of(edges.entry(face, n)))] = true;
  return on;
}

}  // namespace

TEST_CASE("the divergence of a curl is exactly 0", "[mesh][kernels]") {
  for_each_shape([](const MeshShape& shape) {
    const MeshResult u = run_on_mesh<MeshCurl>(shape, {{"s", whole}});
    const MeshResult d = run_on_mesh<MeshDivergence>(shape, {{"u", [&](int f, int) { return u(f); }}});
    double most = 0, most_u = 0;
    for (int c = 0; c < shape.mesh->cells(); ++c) most = std::max(most, std::abs(d(c)));
    for (int f = 0; f < shape.mesh->faces(); ++f) most_u = std::max(most_u, std::abs(u(f)));
    CHECK(most == 0);
    CHECK(most_u > 5);
  });
}

TEST_CASE("the rotation of a gradient is exactly 0 inside", "[mesh][kernels]") {
  for_each_shape([](const MeshShape& shape) {
    const MeshResult g = run_on_mesh<MeshGradient>(shape, {{"p", whole}});
    const MeshResult r = run_on_mesh<MeshRotation>(shape, {{"g", [&](int f, int) { return g(f); }}});
    const std::vector<bool> edge_of_mesh = on_boundary(*shape.mesh);
    int inside = 0, others = 0;
    for (int e = 0; e < int(edge_of_mesh.size()); ++e) {
      if (edge_of_mesh[std::size_t(e)]) {
        others += r(e) != 0;
        continue;
      }
      CHECK(r(e) == 0);
      ++inside;
    }
    CHECK(inside > 10);
    CHECK(others > 10);
  });
}

TEST_CASE("rotation is the transpose of curl, and gradient minus that of divergence", "[mesh][kernels]") {
  for_each_shape([](const MeshShape& shape) {
    const Mesh& mesh = *shape.mesh;
    // Whole numbers: both sums are exact. No flux through the boundary, where the gradient is 0.
    const auto flux = [&](int f, int d) { return f < mesh.inner_faces ? whole(3 * f, d) : 0; };
    const MeshResult c = run_on_mesh<MeshCurl>(shape, {{"s", whole}});
    const MeshResult r = run_on_mesh<MeshRotation>(shape, {{"g", flux}});
    const MeshResult g = run_on_mesh<MeshGradient>(shape, {{"p", whole}});
    const MeshResult d = run_on_mesh<MeshDivergence>(shape, {{"u", flux}});
    double curl_u = 0, s_rotation = 0, gradient_u = 0, p_divergence = 0;
    for (int f = 0; f < mesh.faces(); ++f) curl_u += c(f) * flux(f, 0), gradient_u += g(f) * flux(f, 0);
    for (int e = 0; e < mesh.count(edges_in(mesh.dims)); ++e) s_rotation += r(e) * whole(e, 0);
    for (int n = 0; n < mesh.cells(); ++n) p_divergence += d(n) * whole(n, 0);
    CHECK(curl_u == s_rotation);
    CHECK(gradient_u == -p_divergence);
    CHECK(curl_u != 0);
  });
}

TEST_CASE("the curl of a linear stream function is the exact flux of a constant velocity",
          "[mesh][kernels]") {
  for_each_shape([](const MeshShape& shape) {
    const Mesh& mesh = *shape.mesh;
    const auto potential = [&](int e, int) {
      if (mesh.dims == 2)
        return wind[0] * mesh.nodes[std::size_t(e)][1] - wind[1] * mesh.nodes[std::size_t(e)][0];
      const Point& a = mesh.nodes[std::size_t(mesh.edge_nodes[std::size_t(2 * e)])];
      const Point& b = mesh.nodes[std::size_t(mesh.edge_nodes[std::size_t(2 * e) + 1])];
      const Point middle = {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
      return dot(cross(wind, middle), difference(b, a)) / 2;  // A = w x r / 2 along the edge
    };
    const MeshResult u = run_on_mesh<MeshCurl>(shape, {{"s", potential}});
    for (int f = 0; f < mesh.faces(); ++f) CHECK(u(f) == Approx(dot(face_area(mesh, f), wind)).margin(1e-15));
  });
}

TEST_CASE("interpolation and integration are exact for a constant velocity", "[mesh][kernels]") {
  for_each_shape([](const MeshShape& shape) {
    const Mesh& mesh = *shape.mesh;
    const Point v = {wind[0], wind[1], mesh.dims == 3 ? wind[2] : 0};
    const MeshResult at_cells = run_on_mesh<MeshInterpolation>(
        shape, {{"u", [&](int f, int) { return dot(face_area(mesh, f), v); }}});
    for (int c = 0; c < mesh.cells(); ++c)
      for (int d = 0; d < mesh.dims; ++d) CHECK(at_cells(c, d) == Approx(v[std::size_t(d)]).epsilon(1e-12));
    const MeshResult along =
        run_on_mesh<MeshIntegration>(shape, {{"v", [&](int, int d) { return v[std::size_t(d)]; }}});
    for (int f = 0; f < mesh.faces(); ++f) {
      const Point from = cell_centroid(mesh, mesh.face_cells[std::size_t(2 * f)]);
      const Point to = f < mesh.inner_faces ? cell_centroid(mesh, mesh.face_cells[std::size_t(2 * f) + 1])
                                            : face_centroid(mesh, f);
      CHECK(along(f) == Approx(dot(v, difference(to, from))).margin(1e-14));
    }
  });
}

TEST_CASE("integration is the transpose of interpolation times volume", "[mesh][kernels]") {
  for_each_shape([](const MeshShape& shape) {
    const Mesh& mesh = *shape.mesh;
    const MeshResult at_cells = run_on_mesh<MeshInterpolation>(shape, {{"u", noisy}});
    const MeshResult along = run_on_mesh<MeshIntegration>(shape, {{"v", noisy}});
    double faces = 0, cells = 0, magnitude = 0;
    for (int f = 0; f < mesh.faces(); ++f) {
      faces += along(f) * noisy(f, 0);
      magnitude += std::abs(along(f) * noisy(f, 0));
    }
    for (int c = 0; c < mesh.cells(); ++c)
      for (int d = 0; d < mesh.dims; ++d) cells += cell_volume(mesh, c) * noisy(c, d) * at_cells(c, d);
    CHECK(std::abs(faces - cells) <= 1e-14 * magnitude);
    CHECK(std::abs(faces) > 1e-3 * magnitude);
  });
}

TEST_CASE("the gradient of a linear pressure is its difference between centres, and 0 at the boundary",
          "[mesh][kernels]") {
  for_each_shape([](const MeshShape& shape) {
    const Mesh& mesh = *shape.mesh;
    const auto pressure = [&](int c, int) { return dot(wind, cell_centroid(mesh, c)); };
    const MeshResult g = run_on_mesh<MeshGradient>(shape, {{"p", pressure}});
    for (int f = 0; f < mesh.faces(); ++f) {
      const int one = mesh.face_cells[std::size_t(2 * f)], two = mesh.face_cells[std::size_t(2 * f) + 1];
      CHECK(g(f) == (two < 0 ? 0 : pressure(two, 0) - pressure(one, 0)));
    }
  });
}

TEST_CASE("the divergence of a constant velocity's fluxes is 0, of x its volume", "[mesh][kernels]") {
  for_each_shape([](const MeshShape& shape) {
    const Mesh& mesh = *shape.mesh;
    const MeshResult none = run_on_mesh<MeshDivergence>(
        shape, {{"u", [&](int f, int) { return dot(face_area(mesh, f), wind); }}});
    const MeshResult volumes = run_on_mesh<MeshDivergence>(
        shape, {{"u", [&](int f, int) { return face_area(mesh, f)[0] * face_centroid(mesh, f)[0]; }}});
    for (int c = 0; c < mesh.cells(); ++c) {
      CHECK(std::abs(none(c)) < 1e-15);
      CHECK(volumes(c) == Approx(cell_volume(mesh, c)).epsilon(1e-12));
    }
  });
}

TEST_CASE("the node gradient of a linear temperature is exact", "[mesh][kernels]") {
  for_each_shape([](const MeshShape& shape) {
    const Mesh& mesh = *shape.mesh;
    const MeshResult g = run_on_mesh<MeshNodeGradient>(
        shape, {{"t", [&](int n, int) { return 5 + dot(wind, mesh.nodes[std::size_t(n)]); }}});
    for (int c = 0; c < mesh.cells(); ++c)
      for (int d = 0; d < mesh.dims; ++d) CHECK(g(c, d) == Approx(wind[std::size_t(d)]).epsilon(1e-11));
  });
}

TEST_CASE("dual flux of the node gradient is the Laplacian, 0 inside for a linear temperature",
          "[mesh][kernels]") {
  for_each_shape([](const MeshShape& shape) {
    const Mesh& mesh = *shape.mesh;
    std::vector<bool> outside(mesh.nodes.size());
    for (std::size_t n = std::size_t(mesh.inner_faces) * std::size_t(mesh.dims); n < mesh.face_nodes.size();
         ++n)
      outside[std::size_t(mesh.face_nodes[n])] = true;
    for (const bool linear : {true, false}) {
      const auto t = [&](int n, int d) {
        return linear ? dot(wind, mesh.nodes[std::size_t(n)]) : noisy(n, d);
      };
      const MeshResult g = run_on_mesh<MeshNodeGradient>(shape, {{"t", t}});
      const MeshResult q = run_on_mesh<MeshDualFlux>(shape, {{"g", [&](int c, int d) { return g(c, d); }}});
      const MeshResult at_once = run_on_mesh<MeshNodeLaplacian>(shape, {{"t", t}});
      double sum = 0;
      for (int n = 0; n < int(mesh.nodes.size()); ++n) {
        CHECK(q(n) == Approx(at_once(n)).margin(1e-13));
        if (linear && !outside[std::size_t(n)]) CHECK(std::abs(q(n)) < 1e-13);
        sum += q(n);
      }
      CHECK(std::abs(sum) < 1e-11);
    }
  });
}

TEST_CASE("the Laplacian at nodes is the stiffness matrix of linear elements, by hand", "[mesh][kernels]") {
  // On the square cut from node 0 to node 2 the weight of an edge is minus half the cotangents opposite it.
  const MeshShape shape{shared(connected(two_triangles())), Precision::fp64};
  const MeshResult of_corner =
      run_on_mesh<MeshNodeLaplacian>(shape, {{"t", [](int n, int) { return n == 0; }}});
  const double expected[] = {1, -0.5, 0, -0.5};
  for (int n = 0; n < 4; ++n) CHECK(of_corner(n) == expected[n]);
  // The unit corner tetrahedron (nodes 0 to 3) and its neighbour over the face opposite node 0: only the
  // first has node 0, whose gradient is (-1, -1, -1) on a volume of 1/6.
  const MeshShape solid{shared(connected(two_tetrahedra())), Precision::fp64};
  const MeshResult of_origin =
      run_on_mesh<MeshNodeLaplacian>(solid, {{"t", [](int n, int) { return n == 0; }}});
  const double in_space[] = {0.5, -1.0 / 6, -1.0 / 6, -1.0 / 6, 0};
  for (int n = 0; n < 5; ++n) CHECK(of_origin(n) == Approx(in_space[n]).margin(1e-16));
}
