#include "kernels/mesh/files/check_content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/mesh/files/check_faces.hpp"
#include "kernels/mesh/files/token_source.hpp"

namespace cfdmark {

namespace {

Point difference(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

double largest_part(const Point& v) { return std::max({std::abs(v[0]), std::abs(v[1]), std::abs(v[2])}); }

// Twice the area of a triangle in the x-y plane, or six times the volume of a tetrahedron, and the power of a
// length that it is compared with.
struct Measure {
  double signed_measure, scale;
  bool is_zero() const {
    return !(std::abs(signed_measure) > 8 * std::numeric_limits<double>::epsilon() * scale);
  }
};

Measure measure(const std::vector<Point>& points, const int* nodes, int dims) {
  const Point& origin = points[std::size_t(nodes[0])];
  const Point a = difference(points[std::size_t(nodes[1])], origin);
  const Point b = difference(points[std::size_t(nodes[2])], origin);
  if (dims == 2) {
    const double length = std::max(largest_part(a), largest_part(b));
    return {a[0] * b[1] - a[1] * b[0], length * length};
  }
  const Point c = difference(points[std::size_t(nodes[3])], origin);
  const double length = std::max({largest_part(a), largest_part(b), largest_part(c)});
  return {a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
              a[2] * (b[0] * c[1] - b[1] * c[0]),
          length * length * length};
}

void check_planar(const MeshContent& content, const ElementList& triangles) {
  const NodeList& nodes = content.nodes;
  const double z = nodes.points[std::size_t(triangles.nodes[0])][2];
  for (const int n : triangles.nodes)
    if (nodes.points[std::size_t(n)][2] != z)
      content.origin.fail(
          nodes.places[std::size_t(n)], MeshFault::not_planar,
          fmt::format("node {} has z = {}, others have {}: triangles must lie in a plane of constant "
                      "z, or bound tetrahedra",
                      nodes.numbers[std::size_t(n)], nodes.points[std::size_t(n)][2], z));
}

void check_nodes_differ(const MeshContent& content, const ElementList& elements) {
  const int each = elements.nodes_each;
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const int* const nodes = elements.nodes.data() + e * std::size_t(each);
    for (int i = 0; i < each; ++i)
      for (int k = 0; k < i; ++k)
        if (nodes[i] == nodes[k])
          content.origin.fail(elements.places[e], MeshFault::repeated_node,
                              fmt::format("element {} names node {} twice", elements.numbers[e],
                                          content.nodes.numbers[std::size_t(nodes[i])]));
  }
}

// Makes all volumes positive. Returns how many were negative.
int orient(const MeshContent& content, ElementList& cells, int dims) {
  int reoriented = 0;
  for (std::size_t e = 0; e < cells.size(); ++e) {
    int* const nodes = cells.nodes.data() + e * std::size_t(dims + 1);
    const Measure found = measure(content.nodes.points, nodes, dims);
    if (found.is_zero())
      content.origin.fail(cells.places[e], MeshFault::zero_volume,
                          fmt::format("element {} has no {}: its nodes lie in one {}", cells.numbers[e],
                                      dims == 2 ? "area" : "volume", dims == 2 ? "line" : "plane"));
    if (found.signed_measure > 0) continue;
    std::swap(nodes[dims - 1], nodes[dims]);
    ++reoriented;
  }
  return reoriented;
}

// Removes nodes of no cell and renumbers the others in their order. Returns how many were removed. Boundary
// elements are faces of cells, so they use no other nodes.
int drop_unused(std::vector<Point>& points, ElementList& cells, ElementList& faces) {
  std::vector<int> renumbered(points.size(), -1);
  for (const int n : cells.nodes) renumbered[std::size_t(n)] = 0;
  int used = 0;
  for (std::size_t n = 0; n < points.size(); ++n) {
    if (renumbered[n] < 0) continue;
    points[std::size_t(used)] = points[n];
    renumbered[n] = used++;
  }
  const int dropped = int(points.size()) - used;
  if (dropped == 0) return 0;
  points.resize(std::size_t(used));
  for (ElementList* list : {&cells, &faces})
    for (int& n : list->nodes) n = renumbered[std::size_t(n)];
  return dropped;
}

void list_group_faces(const MeshContent& content, const ElementList& faces, MeshFile& file) {
  const std::size_t each = std::size_t(faces.nodes_each);
  for (std::size_t e = 0; e < faces.size(); ++e)
    for (const int tag : content.tag_sets[std::size_t(faces.tag_sets[e])]) {
      const auto nodes = faces.nodes.begin() + std::ptrdiff_t(e * each);
      file.group_face_nodes.insert(file.group_face_nodes.end(), nodes, nodes + std::ptrdiff_t(each));
      file.group_face_tags.push_back(tag);
    }
}

}  // namespace

MeshFile checked_mesh(MeshContent&& content) {
  const int dims = content.tetrahedra.size() > 0 ? 3 : 2;
  ElementList& cells = dims == 3 ? content.tetrahedra : content.triangles;
  ElementList& faces = dims == 3 ? content.triangles : content.lines;
  if (cells.size() == 0)
    throw MeshFileError(content.origin.file, PlaceUnit::file, 0, MeshFault::no_cells,
                        "holds neither triangles nor tetrahedra; save all elements (gmsh -save_all)");
  if (cells.size() + faces.size() > std::size_t(TokenSource::max_count))
    throw MeshFileError(content.origin.file, PlaceUnit::file, 0, MeshFault::too_large,
                        fmt::format("{} elements: at most {} can be read", cells.size() + faces.size(),
                                    TokenSource::max_count));
  if (dims == 2) check_planar(content, cells);
  for (const ElementList* list : {&cells, &faces}) check_nodes_differ(content, *list);
  MeshFile file;
  file.mesh.dims = dims;
  file.reoriented_cells = orient(content, cells, dims);
  check_faces(content, cells, faces);
  file.unused_nodes = drop_unused(content.nodes.points, cells, faces);
  if (dims == 2)
    for (Point& point : content.nodes.points) point[2] = 0;
  list_group_faces(content, faces, file);
  file.groups = std::move(content.groups);
  file.mesh.nodes = std::move(content.nodes.points);
  file.mesh.cell_nodes = std::move(cells.nodes);
  return file;
}

}  // namespace cfdmark
