#include "kernels/mesh/geometry.hpp"

#include <algorithm>
#include <cmath>

namespace cfdmark {
namespace {

// Returns the mean of `n` nodes.
Point mean(const Mesh& mesh, const int* nodes, int n) {
  Point sum{};
  for (int k = 0; k < n; ++k)
    for (int d = 0; d < 3; ++d) sum[d] += mesh.nodes[nodes[k]][d];
  for (double& x : sum) x /= n;
  return sum;
}

const int* nodes_of_cell(const Mesh& mesh, int cell) {
  return mesh.cell_nodes.data() + std::size_t(cell) * (mesh.dims + 1);
}
const int* nodes_of_face(const Mesh& mesh, int face) {
  return mesh.face_nodes.data() + std::size_t(face) * mesh.dims;
}

// Returns f(mesh, i) for all i in [0, n).
template <class F>
auto for_all(const Mesh& mesh, int n, F f) {
  std::vector<decltype(f(mesh, 0))> values(n);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) values[i] = f(mesh, i);
  return values;
}

}  // namespace

double length(const Point& a) { return std::sqrt(dot(a, a)); }

double cell_volume(const Mesh& mesh, int cell) {
  const int* n = nodes_of_cell(mesh, cell);
  const auto side = [&](int k) { return difference(mesh.nodes[n[k]], mesh.nodes[n[0]]); };
  const Point area = cross(side(1), side(2));
  return mesh.dims == 2 ? area[2] / 2 : dot(area, side(3)) / 6;
}

Point cell_centroid(const Mesh& mesh, int cell) {
  return mean(mesh, nodes_of_cell(mesh, cell), mesh.dims + 1);
}
Point face_centroid(const Mesh& mesh, int face) { return mean(mesh, nodes_of_face(mesh, face), mesh.dims); }

Point face_area(const Mesh& mesh, int face) {
  const int* n = nodes_of_face(mesh, face);
  const Point side = difference(mesh.nodes[n[1]], mesh.nodes[n[0]]);
  if (mesh.dims == 2) return {side[1], -side[0], 0};
  Point area = cross(side, difference(mesh.nodes[n[2]], mesh.nodes[n[0]]));
  for (double& x : area) x /= 2;
  return area;
}

std::vector<double> cell_volumes(const Mesh& mesh) { return for_all(mesh, mesh.cells(), cell_volume); }
std::vector<Point> cell_centroids(const Mesh& mesh) { return for_all(mesh, mesh.cells(), cell_centroid); }
std::vector<Point> face_centroids(const Mesh& mesh) { return for_all(mesh, mesh.faces(), face_centroid); }
std::vector<Point> face_areas(const Mesh& mesh) { return for_all(mesh, mesh.faces(), face_area); }

double volume_of(const Mesh& mesh) {
  double sum = 0;
  for (int c = 0; c < mesh.cells(); ++c) sum += cell_volume(mesh, c);
  return sum;
}

int first_inverted(const Mesh& mesh) {
  int first = mesh.cells();
#pragma omp parallel for schedule(static) reduction(min : first)
  for (int c = 0; c < mesh.cells(); ++c)
    if (!(cell_volume(mesh, c) > 0)) first = std::min(first, c);
  return first;
}

}  // namespace cfdmark
