#include "kernels/mesh/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "kernels/mesh/connect.hpp"
#include "kernels/mesh/cuthill_mckee.hpp"
#include "kernels/mesh/geometry.hpp"
#include "kernels/mesh/joined.hpp"
#include "kernels/mesh/metis.hpp"
#include "kernels/mesh/radix_sort.hpp"
#include "kernels/mesh/random.hpp"
#include "kernels/mesh/space_curve.hpp"

namespace cfdmark {
namespace {

std::vector<int> identity(int n) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// Shuffles a range (R. A. Fisher, F. Yates; D. Durstenfeld): all orders are equally likely.
void shuffle(std::vector<int>::iterator begin, std::vector<int>::iterator end, SplitMix64& random) {
  for (std::ptrdiff_t n = end - begin; n > 1; --n)
    std::swap(begin[n - 1], begin[std::ptrdiff_t(random.below(std::uint64_t(n)))]);
}

// Turns points of a mesh into lattice points with the same scale on all axes; the longest has all bits.
class ToLattice {
 public:
  explicit ToLattice(const std::vector<Point>& nodes) {
    if (nodes.empty()) return;
    Point high = low_ = nodes[0];
    for (const Point& p : nodes)
      for (int d = 0; d < 3; ++d) {
        low_[d] = std::min(low_[d], p[d]);
        high[d] = std::max(high[d], p[d]);
      }
    const Point sides = difference(high, low_);
    const double longest = *std::max_element(sides.begin(), sides.end());
    if (longest > 0) scale_ = boxes / longest;
  }
  LatticePoint operator()(const Point& p) const {
    LatticePoint at;
    for (int d = 0; d < 3; ++d) at[d] = std::uint32_t(std::clamp((p[d] - low_[d]) * scale_, 0.0, boxes - 1));
    return at;
  }

 private:
  static constexpr double boxes = 1 << curve_bits;
  Point low_{};
  double scale_ = 0;
};

template <class Key, class KeyOf>
std::vector<int> order_along(const Mesh& mesh, KeyOf key_of) {
  const ToLattice to_lattice(mesh.nodes);
  std::vector<Keyed<Key>> cells(mesh.cells());
#pragma omp parallel for schedule(static)
  for (int c = 0; c < mesh.cells(); ++c)
    cells[c] = {Key(key_of(to_lattice(cell_centroid(mesh, c)), mesh.dims, curve_bits)), c};
  radix_sort(cells, curve_bits * mesh.dims);
  std::vector<int> order(mesh.cells());
#pragma omp parallel for schedule(static)
  for (int c = 0; c < mesh.cells(); ++c) order[c] = cells[c].value;
  return order;
}

template <class KeyOf>
std::vector<int> order_by_curve(const Mesh& mesh, KeyOf key_of) {
  if (mesh.dims == 2) return order_along<std::uint32_t>(mesh, key_of);
  return order_along<std::uint64_t>(mesh, key_of);
}

// Moves entries of `width` values each: entry i of the result is entry order[i].
template <class Value>
void gather(std::vector<Value>& values, int width, const std::vector<int>& order) {
  std::vector<Value> moved(values.size());
#pragma omp parallel for schedule(static)
  for (int i = 0; i < int(order.size()); ++i)
    std::copy_n(values.data() + std::size_t(order[i]) * width, width, moved.data() + std::size_t(i) * width);
  values = std::move(moved);
}

std::vector<int> inverse(const std::vector<int>& order) {
  std::vector<int> place(order.size());
#pragma omp parallel for schedule(static)
  for (int i = 0; i < int(order.size()); ++i) place[order[i]] = i;
  return place;
}

// Returns the nodes in the order in which the cells first have them, those of one cell in ascending order.
std::vector<int> nodes_by_cell(const Mesh& mesh) {
  const int corners = mesh.dims + 1;
  std::vector<char> seen(mesh.nodes.size(), 0);
  std::vector<int> order;
  order.reserve(mesh.nodes.size());
  for (int c = 0; c < mesh.cells(); ++c) {
    const auto before = std::ptrdiff_t(order.size());
    for (int k = 0; k < corners; ++k) {
      const int node = mesh.cell_nodes[std::size_t(c) * corners + k];
      if (!std::exchange(seen[node], 1)) order.push_back(node);
    }
    std::sort(order.begin() + before, order.end());
  }
  for (int n = 0; n < int(seen.size()); ++n)
    if (!seen[n]) order.push_back(n);
  return order;
}

void clear_connections(Mesh& mesh) {
  Mesh bare;
  bare.dims = mesh.dims;
  bare.nodes = std::move(mesh.nodes);
  bare.cell_nodes = std::move(mesh.cell_nodes);
  mesh = std::move(bare);
}

}  // namespace

std::string_view to_string(Numbering n) {
  switch (n) {
    case Numbering::stored: return "stored";
    case Numbering::random: return "random";
    case Numbering::random_faces: return "random_faces";
    case Numbering::rcm: return "rcm";
    case Numbering::hilbert: return "hilbert";
    case Numbering::morton: return "morton";
    case Numbering::nested: break;
  }
  return "nested";
}

Numbering numbering_from(std::string_view word) {
  std::vector<std::string_view> words;
  for (Numbering n : all_numberings) {
    if (to_string(n) == word) return n;
    words.push_back(to_string(n));
  }
  throw std::invalid_argument(fmt::format("unknown numbering '{}': use {}", word, joined(words, ", ")));
}

std::string not_built_reason(Numbering n) { return n == Numbering::nested ? metis_absent_reason() : ""; }

std::vector<int> cell_order(const Mesh& mesh, Numbering numbering, std::uint64_t seed) {
  switch (numbering) {
    case Numbering::stored: break;
    case Numbering::random:
    case Numbering::random_faces: {
      std::vector<int> order = identity(mesh.cells());
      SplitMix64 random(seed);
      shuffle(order.begin(), order.end(), random);
      return order;
    }
    case Numbering::rcm: return reverse_cuthill_mckee(cell_neighbours(mesh), mesh.dims + 1);
    case Numbering::hilbert: return order_by_curve(mesh, hilbert_key);
    case Numbering::morton: return order_by_curve(mesh, morton_key);
    case Numbering::nested: return nested_dissection(cell_neighbours(mesh), mesh.dims + 1);
  }
  return identity(mesh.cells());
}

void reorder(Mesh& mesh, const std::vector<int>& order) {
  clear_connections(mesh);
  gather(mesh.cell_nodes, mesh.dims + 1, order);
  const std::vector<int> nodes = nodes_by_cell(mesh);
  gather(mesh.nodes, 1, nodes);
  const std::vector<int> place = inverse(nodes);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < mesh.cell_nodes.size(); ++i) mesh.cell_nodes[i] = place[mesh.cell_nodes[i]];
}

void shuffle_faces(Mesh& mesh, std::uint64_t seed) {
  std::vector<int> order = identity(mesh.faces());
  SplitMix64 random(seed);
  shuffle(order.begin(), order.begin() + mesh.inner_faces, random);
  shuffle(order.begin() + mesh.inner_faces, order.end(), random);
  gather(mesh.face_nodes, mesh.dims, order);
  gather(mesh.face_cells, 2, order);
  if (mesh.dims == 3) gather(mesh.face_edges, 3, order);
  const std::vector<int> place = inverse(order);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < mesh.cell_faces.size(); ++i) {
    const Oriented face = mesh.cell_faces[i];
    mesh.cell_faces[i] = is_reversed(face) ? reversed(place[number_of(face)]) : place[face];
  }
}

Mesh numbered(Mesh mesh, Numbering numbering, std::uint64_t seed) {
  if (numbering != Numbering::stored) reorder(mesh, cell_order(mesh, numbering, seed));
  connect(mesh);
  if (numbering == Numbering::random_faces) shuffle_faces(mesh, ~seed);
  return mesh;
}

NumberingFacts numbering_facts(const Mesh& mesh) {
  constexpr int line = 128 / 4;
  long long sum = 0, together = 0;
  int most = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum, together) reduction(max : most)
  for (int f = 0; f < mesh.inner_faces; ++f) {
    const int a = mesh.face_cells[2 * std::size_t(f)], b = mesh.face_cells[2 * std::size_t(f) + 1];
    const int distance = std::abs(a - b);
    sum += distance;
    most = std::max(most, distance);
    together += a / line == b / line;
  }
  const double faces = std::max(1, mesh.inner_faces);
  return {double(sum) / faces, most, double(together) / faces};
}

}  // namespace cfdmark
