#include "kernels/mesh/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "kernels/mesh/connect.hpp"
#include "kernels/mesh/geometry.hpp"
#include "kernels/mesh/half_faces.hpp"
#include "kernels/mesh/joined.hpp"
#include "kernels/mesh/pairs.hpp"

namespace cfdmark {
namespace {

using Reasons = std::vector<std::string>;

// Adds a reason if `is_wrong` holds for any i in [0, n). `text` describes the first one.
template <class IsWrong, class Text>
void add_if_any(Reasons& reasons, int n, IsWrong is_wrong, Text text) {
  int first = n, count = 0;
#pragma omp parallel for schedule(static) reduction(min : first) reduction(+ : count)
  for (int i = 0; i < n; ++i)
    if (is_wrong(i)) {
      first = std::min(first, i);
      ++count;
    }
  if (count == 1) reasons.push_back(text(first));
  if (count > 1) reasons.push_back(fmt::format("{}; {} more have the same fault", text(first), count - 1));
}

// Runs a check that throws. Returns false after adding its reason if it did.
template <class Check>
bool passes(Reasons& reasons, Check check) {
  try {
    check();
    return true;
  } catch (const std::invalid_argument& e) {
    reasons.emplace_back(e.what());
    return false;
  }
}

void check_geometry(const Mesh& mesh, Reasons& reasons) {
  const auto at = [&](int n) { return mesh.nodes[n]; };
  add_if_any(
      reasons, int(mesh.nodes.size()),
      [&](int n) { return !(std::isfinite(at(n)[0]) && std::isfinite(at(n)[1]) && std::isfinite(at(n)[2])); },
      [&](int n) {
        return fmt::format("node {} has coordinates {}: use finite numbers", n, joined(at(n), ", "));
      });
  add_if_any(
      reasons, mesh.cells(), [&](int c) { return !(cell_volume(mesh, c) > 0); },
      [&](int c) {
        return fmt::format(
            "cell {} has {} {:g}: it must be positive; a cell whose nodes run the other way is negative", c,
            mesh.dims == 2 ? "area" : "volume", cell_volume(mesh, c));
      });
}

void check_use_of_nodes(const Mesh& mesh, Reasons& reasons) {
  std::vector<char> used(mesh.nodes.size(), 0);
  for (int node : mesh.cell_nodes) used[node] = 1;
  add_if_any(
      reasons, int(used.size()), [&](int n) { return used[n] == 0; },
      [](int n) { return fmt::format("no cell has node {}", n); });
}

// Returns why the lists of a mesh do not fit each other; empty if they do.
std::string wrong_size(const Mesh& mesh) {
  const std::size_t faces = mesh.faces(), cells = mesh.cells(), per_cell = mesh.dims + 1;
  const std::size_t edges_per_face = mesh.dims == 3 ? 3 : 0;
  const auto differ = [](const char* list, std::size_t size, std::size_t expected) {
    return size == expected ? "" : fmt::format("{} has {} entries instead of {}", list, size, expected);
  };
  for (const std::string& text : {
           differ("face_nodes", mesh.face_nodes.size(), faces * mesh.dims),
           differ("face_cells", mesh.face_cells.size(), faces * 2),
           differ("cell_faces", mesh.cell_faces.size(), cells * per_cell),
           differ("face_edges", mesh.face_edges.size(), faces * edges_per_face),
           differ("edge_nodes", mesh.edge_nodes.size(), std::size_t(mesh.edges()) * 2),
       })
    if (!text.empty()) return text;
  const long long sides = 2LL * mesh.inner_faces + mesh.boundary_faces(),
                  entries = (long long)(cells * per_cell);
  if (mesh.inner_faces < 0 || mesh.boundary_faces() < 0 || sides != entries)
    return fmt::format("{} inner faces and {} at the boundary do not have the {} sides of all cells",
                       mesh.inner_faces, mesh.boundary_faces(), entries);
  return "";
}

// Returns true if half face `half` is the face that the cell says it is, oriented as the cell says.
template <int dims>
bool is_its_face(const Mesh& mesh, int half) {
  const Oriented oriented = mesh.cell_faces[half];
  const int face = number_of(oriented);
  if (face >= mesh.faces()) return false;
  const std::size_t side = 2 * std::size_t(face) + is_reversed(oriented);
  if (mesh.face_cells[side] != HalfFaces<dims>::cell_of(half)) return false;
  const int second = mesh.face_cells[2 * std::size_t(face) + 1];
  if (face < mesh.inner_faces ? second < 0 : second != -1) return false;
  auto nodes = HalfFaces<dims>(mesh).nodes(half);
  if (is_reversed(oriented)) std::swap(nodes[0], nodes[1]);
  const int* own = mesh.face_nodes.data() + std::size_t(face) * dims;
  std::rotate(nodes.begin(), std::find(nodes.begin(), nodes.end(), own[0]), nodes.end());
  return std::equal(nodes.begin(), nodes.end(), own);
}

// Returns true if side k of a face is the edge that the face says it is, oriented as the face says.
bool is_its_edge(const Mesh& mesh, int side) {
  const Oriented oriented = mesh.face_edges[side];
  const int edge = number_of(oriented), next = side % 3 == 2 ? side - 2 : side + 1;
  if (edge >= mesh.edges()) return false;
  const int* ends = mesh.edge_nodes.data() + 2 * std::size_t(edge);
  const bool against = is_reversed(oriented);
  return mesh.face_nodes[side] == ends[against] && mesh.face_nodes[next] == ends[!against];
}

// Returns true if the edges of a tetrahedron's faces cancel: each has them twice, once in each direction.
bool edges_cancel(const Mesh& mesh, int cell) {
  std::array<Oriented, 12> edges;
  for (int k = 0; k < 12; ++k) {
    const Oriented face = mesh.cell_faces[4 * std::size_t(cell) + k / 3];
    const Oriented edge = mesh.face_edges[3 * std::size_t(number_of(face)) + k % 3];
    edges[k] = is_reversed(face) ? reversed(edge) : edge;
  }
  return std::all_of(edges.begin(), edges.end(), [&](Oriented e) {
    return std::count(edges.begin(), edges.end(), e) == 1 &&
           std::count(edges.begin(), edges.end(), reversed(e)) == 1;
  });
}

double closure(const Mesh& mesh, int cell) {
  Point sum{};
  double lengths = 0;
  for (int k = 0; k <= mesh.dims; ++k) {
    const Oriented face = mesh.cell_faces[std::size_t(cell) * (mesh.dims + 1) + k];
    const Point area = face_area(mesh, number_of(face));
    for (int d = 0; d < 3; ++d) sum[d] += sign_of(face) * area[d];
    lengths += length(area);
  }
  return length(sum) / lengths;
}

void check_faces(const Mesh& mesh, Reasons& reasons) {
  const bool flat = mesh.dims == 2;
  const auto in_cell = [&](int half) {
    return fmt::format(
        "face {} of cell {} is not the face of the mesh that it refers to: connect the mesh again",
        half % (mesh.dims + 1), half / (mesh.dims + 1));
  };
  add_if_any(
      reasons, int(mesh.cell_faces.size()),
      [&](int half) { return flat ? !is_its_face<2>(mesh, half) : !is_its_face<3>(mesh, half); }, in_cell);
  if (flat) return;
  add_if_any(
      reasons, int(mesh.face_edges.size()), [&](int side) { return !is_its_edge(mesh, side); },
      [](int side) {
        return fmt::format(
            "edge {} of face {} is not the edge of the mesh that it refers to: connect the mesh again",
            side % 3, side / 3);
      });
}

void check_sums(const Mesh& mesh, Reasons& reasons) {
  constexpr double tolerance = 1e-10;
  add_if_any(
      reasons, mesh.cells(), [&](int c) { return !(closure(mesh, c) <= tolerance); },
      [&](int c) {
        return fmt::format("the area vectors of cell {} sum to {:g} of their size, not 0", c,
                           closure(mesh, c));
      });
  if (mesh.dims == 2) return;
  add_if_any(
      reasons, mesh.cells(), [&](int c) { return !edges_cancel(mesh, c); },
      [](int c) { return fmt::format("the edges of cell {} do not cancel: connect the mesh again", c); });
}

}  // namespace

std::vector<std::string> faults_of_cells(const Mesh& mesh) {
  Reasons reasons;
  if (!passes(reasons, [&] { check_node_numbers(mesh); })) return reasons;
  if (mesh.cells() == 0) reasons.emplace_back("the mesh has no cells");
  passes(reasons, [&] { paired_half_faces(mesh); });
  check_geometry(mesh, reasons);
  check_use_of_nodes(mesh, reasons);
  return reasons;
}

std::vector<std::string> faults(const Mesh& mesh) {
  Reasons reasons = faults_of_cells(mesh);
  if (!reasons.empty()) return reasons;
  if (const std::string text = wrong_size(mesh); !text.empty()) return {text + ": connect the mesh again"};
  check_faces(mesh, reasons);
  if (reasons.empty()) check_sums(mesh, reasons);
  return reasons;
}

void check(const Mesh& mesh) {
  const Reasons reasons = faults(mesh);
  if (!reasons.empty()) throw std::invalid_argument(joined(reasons, "\n"));
}

double worst_closure(const Mesh& mesh) {
  double worst = 0;
#pragma omp parallel for schedule(static) reduction(max : worst)
  for (int c = 0; c < mesh.cells(); ++c) worst = std::max(worst, closure(mesh, c));
  return worst;
}

}  // namespace cfdmark
