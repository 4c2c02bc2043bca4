#include "kernels/mesh/quality.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/mesh/cell_shape.hpp"
#include "kernels/mesh/geometry.hpp"

namespace cfdmark {
namespace {

// Returns the angle between two vectors in degrees, accurate for small angles too.
double angle_between(const Point& a, const Point& b) {
  return std::atan2(length(cross(a, b)), dot(a, b)) * 180 / std::numbers::pi;
}

// Returns the outward area vector of a face of a cell.
template <int dims>
Point outward_area(const Mesh& mesh, const int* cell, int face) {
  const auto& f = CellShape<dims>::face[face];
  const auto side = [&](int k) { return difference(mesh.nodes[cell[f[k]]], mesh.nodes[cell[f[0]]]); };
  if constexpr (dims == 2) {
    const Point s = side(1);
    return {s[1], -s[0], 0};
  } else {
    return cross(side(1), side(2));
  }
}

// The angle inside a cell between two faces is that between one outward normal and the reverse of the other.
template <int dims>
double least_angle_of(const Mesh& mesh, const int* cell) {
  double least = 180;
  for (int i = 0; i <= dims; ++i)
    for (int j = 0; j < i; ++j) {
      Point inward = outward_area<dims>(mesh, cell, j);
      for (double& x : inward) x = -x;
      least = std::min(least, angle_between(outward_area<dims>(mesh, cell, i), inward));
    }
  return least;
}

// Returns the line that the distance of a face is the length of.
Point across(const Mesh& mesh, int face) {
  const int *cells = mesh.face_cells.data() + 2 * std::size_t(face), first = cells[0], second = cells[1];
  const Point end = second < 0 ? face_centroid(mesh, face) : cell_centroid(mesh, second);
  return difference(end, cell_centroid(mesh, first));
}

void add_angles(const Mesh& mesh, MeshQuality& q) {
  std::vector<double> angles(mesh.cells());
#pragma omp parallel for schedule(static)
  for (int c = 0; c < mesh.cells(); ++c) angles[c] = least_angle(mesh, c);
  if (angles.empty()) return;
  const auto middle = angles.begin() + std::ptrdiff_t(angles.size() / 2);
  std::nth_element(angles.begin(), middle, angles.end());
  q.median_angle = *middle;
  q.least_angle = *std::min_element(angles.begin(), middle + 1);
}

// The sums over a block of faces. Blocks are the same for any number of threads, and so is their total.
struct FaceSums {
  double least = HUGE_VAL, most = 0;  // area over distance
  double sum_skew = 0, most_skew = 0;

  void add(const FaceSums& other) {
    least = std::min(least, other.least);
    most = std::max(most, other.most);
    sum_skew += other.sum_skew;
    most_skew = std::max(most_skew, other.most_skew);
  }
};

FaceSums sums_of(const Mesh& mesh, int begin, int end) {
  FaceSums sums;
  for (int f = begin; f < end; ++f) {
    const Point area = face_area(mesh, f), line = across(mesh, f);
    const double ratio = length(area) / length(line),
                 skew = f < mesh.inner_faces ? angle_between(area, line) : 0;
    sums.add({ratio, ratio, skew, skew});
  }
  return sums;
}

}  // namespace

double least_angle(const Mesh& mesh, int cell) {
  const int* nodes = mesh.cell_nodes.data() + std::size_t(cell) * (mesh.dims + 1);
  return mesh.dims == 2 ? least_angle_of<2>(mesh, nodes) : least_angle_of<3>(mesh, nodes);
}

MeshQuality quality(const Mesh& mesh) {
  constexpr int block = 4096;
  MeshQuality q;
  add_angles(mesh, q);
  if (mesh.faces() == 0) return q;
  std::vector<FaceSums> blocks((mesh.faces() - 1) / block + 1);
#pragma omp parallel for schedule(static)
  for (int b = 0; b < int(blocks.size()); ++b)
    blocks[b] = sums_of(mesh, b * block, std::min(mesh.faces() - b * block, block) + b * block);
  FaceSums total;
  for (const FaceSums& sums : blocks) total.add(sums);
  q.least_area_over_distance = total.least;
  q.most_area_over_distance = total.most;
  q.mean_non_orthogonality = total.sum_skew / std::max(1, mesh.inner_faces);
  q.most_non_orthogonality = total.most_skew;
  return q;
}

}  // namespace cfdmark
