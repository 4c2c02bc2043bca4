#include "kernels/mesh/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <stdexcept>

#include "kernels/mesh/delaunay.hpp"
#include "kernels/mesh/joined.hpp"
#include "kernels/mesh/lattice.hpp"
#include "kernels/mesh/random.hpp"

namespace cfdmark {
namespace {

// Different random numbers of one seed.
enum class Stream : std::uint64_t { nodes, diagonals, extra };
std::uint64_t seed_of(Stream stream, std::uint64_t seed) {
  return SplitMix64::at(~seed, std::uint64_t(stream));
}

using Boxes = std::initializer_list<int>;

// Throws unless there is a box in each direction and few enough for counts in 64 bits.
void check_boxes(Boxes boxes) {
  double product = 1;
  for (int n : boxes) product *= n;
  if (std::min(boxes) < 1 || product > 1e9)
    throw std::invalid_argument(fmt::format(
        "a mesh of {} boxes: use at least 1 in each direction and at most 1e9", joined(boxes, "x")));
}

// Throws unless each cell gets at most one extra node and the largest list fits 32-bit numbers.
void check_extra(Boxes boxes, int extra, long long cells_before, long long largest_list) {
  if (extra < 0 || extra > cells_before)
    throw std::invalid_argument(fmt::format("{} extra nodes in a mesh of {} boxes: use 0 to {}, one per cell",
                                            extra, joined(boxes, "x"), cells_before));
  if (largest_list > std::numeric_limits<int>::max())
    throw std::invalid_argument(fmt::format(
        "a mesh of {} boxes and {} extra nodes is too large for 32-bit numbers", joined(boxes, "x"), extra));
}

// Corners of a rectangle: 0 and 1 at the bottom, 2 and 3 above 1 and 0.
constexpr int halves_of_rectangle[2][2][3] = {{{0, 1, 2}, {0, 2, 3}}, {{0, 1, 3}, {1, 2, 3}}};

// Axes in the order in which a tetrahedron's nodes go along them from one end of the cube's diagonal to the
// other. Odd orders have their middle nodes exchanged, so that volumes are positive.
struct Order {
  int axes[3];
  bool odd;
};
constexpr Order kuhn_orders[6] = {{{0, 1, 2}, false}, {{0, 2, 1}, true},  {{1, 0, 2}, true},
                                  {{1, 2, 0}, false}, {{2, 0, 1}, false}, {{2, 1, 0}, true}};

// Writes the 24 node numbers of the six tetrahedra in the cube at (i, j, k).
void split_cube(const Lattice& lattice, std::array<int, 3> corner, int* cell) {
  for (const Order& order : kuhn_orders) {
    std::array<int, 3> at = corner;
    for (int n = 0; n < 4; ++n) {
      const int place = order.odd && (n == 1 || n == 2) ? 3 - n : n;
      cell[place] = lattice.node(at[0], at[1], at[2]);
      if (n < 3) ++at[order.axes[n]];
    }
    cell += 4;
  }
}

}  // namespace

MeshCounts counts_of_triangles(int a, int b, int extra) {
  check_boxes({a, b});
  const long long boxes = 1LL * a * b, boundary = 2LL * a + 2LL * b, x = extra;
  const MeshCounts n{2 * boxes + 2 * x, 3 * boxes + a + b + 3 * x, 0, boxes + a + b + 1 + x, boundary};
  check_extra({a, b}, extra, 2 * boxes, 3 * n.cells);
  return n;
}

MeshCounts counts_of_tetrahedra(int a, int b, int c, int extra) {
  check_boxes({a, b, c});
  const long long boxes = 1LL * a * b * c, x = extra;
  const long long boundary = 4 * (1LL * a * b + 1LL * b * c + 1LL * c * a);
  MeshCounts n{6 * boxes + 3 * x, 0, 0, (a + 1LL) * (b + 1LL) * (c + 1LL) + x, boundary};
  n.faces = 2 * n.cells + boundary / 2;
  n.edges = n.nodes + n.faces - n.cells - 1;  // Euler: nodes - edges + faces - cells = 1
  check_extra({a, b, c}, extra, 6 * boxes, 3 * n.faces);
  return n;
}

MeshCounts counts_of(const Mesh& mesh) {
  return {mesh.cells(), mesh.faces(), mesh.edges(), (long long)(mesh.nodes.size()), mesh.boundary_faces()};
}

Mesh triangles(int a, int b, int extra, std::uint64_t seed) {
  counts_of_triangles(a, b, extra);
  const Lattice lattice({a, b, 0}, {double(a), double(b), 1});
  const std::uint64_t diagonals = seed_of(Stream::diagonals, seed);
  Mesh mesh;
  mesh.nodes = lattice.moved_nodes(seed_of(Stream::nodes, seed));
  mesh.cell_nodes.resize(6 * std::size_t(a) * b);
#pragma omp parallel for schedule(static)
  for (int j = 0; j < b; ++j)
    for (int i = 0; i < a; ++i) {
      const int corners[4] = {lattice.node(i, j, 0), lattice.node(i + 1, j, 0), lattice.node(i + 1, j + 1, 0),
                              lattice.node(i, j + 1, 0)};
      const std::size_t quad = i + std::size_t(a) * j;
      const auto& halves = halves_of_rectangle[SplitMix64::at(diagonals, quad) >> 63];
      for (int n = 0; n < 6; ++n) mesh.cell_nodes[6 * quad + n] = corners[halves[n / 3][n % 3]];
    }
  if (extra > 0) {
    insert_centroids(mesh, extra, seed_of(Stream::extra, seed));
    flip_to_delaunay(mesh);
  }
  assert_positive(mesh);
  return mesh;
}

Mesh tetrahedra(int a, int b, int c, int extra, std::uint64_t seed) {
  counts_of_tetrahedra(a, b, c, extra);
  const double longest = std::max({a, b, c});
  const Lattice lattice({a, b, c}, {longest, longest, longest});
  Mesh mesh;
  mesh.dims = 3;
  mesh.nodes = lattice.moved_nodes(seed_of(Stream::nodes, seed));
  mesh.cell_nodes.resize(24 * std::size_t(a) * b * c);
#pragma omp parallel for schedule(static)
  for (int row = 0; row < b * c; ++row)
    for (int i = 0; i < a; ++i)
      split_cube(lattice, {i, row % b, row / b}, mesh.cell_nodes.data() + 24 * (std::size_t(row) * a + i));
  if (extra > 0) insert_centroids(mesh, extra, seed_of(Stream::extra, seed));
  assert_positive(mesh);
  return mesh;
}

}  // namespace cfdmark
