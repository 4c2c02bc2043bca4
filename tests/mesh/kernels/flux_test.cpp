// Euler residuals on meshes: uniform states, conservation, symmetry, and a flux by hand.
#include <cmath>

#include "kernels/mesh/geometry.hpp"
#include "kernels/mesh/number.hpp"
#include "kernels/mesh_flux/mesh_flux.hpp"
#include "tests/catch.hpp"
#include "tests/mesh/kernels/run_kernel.hpp"
#include "tests/mesh/meshes.hpp"

using namespace cfdmark;

namespace {

template <class F>
void for_each_flux_case(const F& f) {
  for (const Mesh& mesh : small_meshes())
    for (const VectorLayout vectors : {VectorLayout::planes, VectorLayout::packed})
      for (const char* method : {"plain", "replicated", "coloured", "in_order"})
        f(MeshShape{shared(mesh), Precision::fp64, vectors}, method);
}

// Density, momenta and energy that vary from cell to cell.
double state(int c, int d) {
  const double x = noise(c, d, 0, 9) - 1;
  return d == 0 ? 1 + 0.4 * x : d < 4 ? 0.6 * x : 3 + x;
}

// Flux of quantity d of one state through an area vector.
double physical_flux(const double (&q)[5], const Point& n, int d) {
  double through = 0;
  for (std::size_t k = 0; k < 3; ++k) through += q[1 + k] * n[k] / q[0];
  const double p = 0.4 * (q[4] - 0.5 * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) / q[0]);
  const double pressed = d == 4 ? p * through : d == 0 ? 0 : p * n[std::size_t(d) - 1];
  return q[d] * through + pressed;
}

}  // namespace

TEST_CASE("a uniform gas has no residual", "[mesh][kernels]") {
  for_each_flux_case([](const MeshShape& shape, const char* method) {
    const double uniform[] = {1.2, 0.3, -0.4, 0.5, 2.7};
    const MeshResult r =
        run_on_mesh<MeshFlux>(shape, {{"q", [&](int, int d) { return uniform[d]; }}}, method);
    double most = 0;
    for (int c = 0; c < shape.mesh->cells(); ++c)
      for (int d = 0; d < 5; ++d) most = std::max(most, std::abs(r(c, d)));
    CHECK(most < 1e-14);
  });
}

TEST_CASE("residuals of all cells add up to the flux through the boundary", "[mesh][kernels]") {
  for_each_flux_case([](const MeshShape& shape, const char* method) {
    const Mesh& mesh = *shape.mesh;
    const MeshResult r = run_on_mesh<MeshFlux>(shape, {{"q", state}}, method);
    for (int d = 0; d < 5; ++d) {
      double sum = 0, boundary = 0, magnitude = 0;
      for (int c = 0; c < mesh.cells(); ++c) sum += r(c, d), magnitude += std::abs(r(c, d));
      for (int f = mesh.inner_faces; f < mesh.faces(); ++f) {
        double q[5];
        for (int k = 0; k < 5; ++k) q[k] = state(mesh.face_cells[std::size_t(2 * f)], k);
        boundary += physical_flux(q, face_area(mesh, f), d);
      }
      CHECK(std::abs(sum - boundary) < 1e-14 * magnitude);
      CHECK(magnitude > 1);
    }
  });
}

TEST_CASE("the flux between two cells is Rusanov's, by hand", "[mesh][kernels]") {
  // Still gas of pressure 1 and density 1.4 next to density 0.35: sound speeds 1 and 2. The jump of density
  // over the diagonal of length sqrt(2) gives half of 2 sqrt(2) times 1.05.
  const MeshShape shape{shared(connected(two_triangles())), Precision::fp64};
  const int first = shape.mesh->face_cells[0];
  const auto still = [&](int c, int d) { return d == 0 ? (c == first ? 1.4 : 0.35) : d == 4 ? 2.5 : 0; };
  const MeshResult r = run_on_mesh<MeshFlux>(shape, {{"q", still}});
  CHECK(r(first, 0) == Approx(std::sqrt(2.0) * 1.05));
  CHECK(r(1 - first, 0) == Approx(-std::sqrt(2.0) * 1.05));
  for (int c = 0; c < 2; ++c)
    for (int d = 1; d < 5; ++d) CHECK(std::abs(r(c, d)) < 1e-15);
}

TEST_CASE("a mirrored mesh has the mirrored residual", "[mesh][kernels]") {
  for (const Mesh& mesh : small_meshes()) {
    Mesh other;
    other.dims = mesh.dims, other.nodes = mesh.nodes, other.cell_nodes = mesh.cell_nodes;
    for (Point& x : other.nodes) x[0] = -x[0];
    const auto nodes = std::size_t(mesh.dims + 1);
    for (std::size_t n = 0; n < other.cell_nodes.size(); n += nodes)
      std::swap(other.cell_nodes[n], other.cell_nodes[n + 1]);
    const auto mirrored = [](int c, int d) { return d == 1 ? -state(c, d) : state(c, d); };
    const MeshShape here{shared(mesh), Precision::fp64}, there{shared(connected(other)), Precision::fp64};
    const MeshResult r = run_on_mesh<MeshFlux>(here, {{"q", state}});
    const MeshResult m = run_on_mesh<MeshFlux>(there, {{"q", mirrored}});
    for (int c = 0; c < mesh.cells(); ++c)
      for (int d = 0; d < 5; ++d) CHECK(m(c, d) == Approx(d == 1 ? -r(c, d) : r(c, d)).margin(1e-14));
  }
}

TEST_CASE("a renumbered mesh has the same residual in its new order", "[mesh][kernels]") {
  for (const Mesh& mesh : small_meshes()) {
    const std::vector<int> old = cell_order(mesh, Numbering::random, 5);
    const MeshShape here{shared(mesh), Precision::fp64};
    const MeshShape there{shared(numbered(mesh, Numbering::random, 5)), Precision::fp64};
    const MeshResult r = run_on_mesh<MeshFlux>(here, {{"q", state}});
    const MeshResult n =
        run_on_mesh<MeshFlux>(there, {{"q", [&](int c, int d) { return state(old[std::size_t(c)], d); }}});
    for (int c = 0; c < mesh.cells(); ++c)
      for (int d = 0; d < 5; ++d) CHECK(n(c, d) == Approx(r(old[std::size_t(c)], d)).margin(1e-14));
  }
}
