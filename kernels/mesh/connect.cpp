#include "kernels/mesh/connect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <utility>

#include "kernels/mesh/buckets.hpp"
#include "kernels/mesh/half_faces.hpp"
#include "kernels/mesh/pairs.hpp"

namespace cfdmark {
namespace {

// Numbers faces in blocks of cells: the blocks count theirs in parallel, and later number them in parallel.
template <int dims>
class FaceNumbers {
 public:
  FaceNumbers(Mesh& mesh, const std::vector<int>& other) : mesh_(mesh), halves_(mesh), other_(other) {}

  void set() {
    const int blocks = (mesh_.cells() + block_cells - 1) / block_cells;
    std::vector<Numbers> first(blocks);
#pragma omp parallel for schedule(static)
    for (int b = 0; b < blocks; ++b)
      for (int half = begin_of(b); half < begin_of(b + 1); ++half) {
        first[b].inner += is_first(half);
        first[b].boundary += other_[half] < 0;
      }
    resize(first);
#pragma omp parallel for schedule(static)
    for (int b = 0; b < blocks; ++b)
      for (int half = begin_of(b); half < begin_of(b + 1); half += dims + 1) number_faces(half, first[b]);
  }

 private:
  static constexpr int block_cells = 4096;
  struct Numbers {
    int inner = 0, boundary = 0;
  };

  int begin_of(int block) const {
    return (dims + 1) * int(std::min<long long>((long long)block * block_cells, mesh_.cells()));
  }
  bool is_first(int half) const { return other_[half] > half; }

  // Turns the counts of each block into its first numbers, and makes room for all faces.
  void resize(std::vector<Numbers>& blocks) {
    Numbers total;
    for (const Numbers& n : blocks) total = {total.inner + n.inner, total.boundary + n.boundary};
    Numbers next{0, total.inner};
    for (Numbers& n : blocks) {
      const Numbers count = std::exchange(n, next);
      next = {next.inner + count.inner, next.boundary + count.boundary};
    }
    const std::size_t faces = std::size_t(total.inner) + total.boundary;
    mesh_.inner_faces = total.inner;
    mesh_.face_nodes.resize(faces * dims);
    mesh_.face_cells.resize(faces * 2);
    mesh_.cell_faces.resize(halves_.count());
  }

  // Numbers the faces whose first cell is the one that begins at a half face.
  void number_faces(int begin, Numbers& next) {
    std::array<int, dims + 1> inner;  // half faces, ordered by those of the second cells
    int n = 0;
    for (int half = begin; half < begin + dims + 1; ++half) {
      if (other_[half] < 0) set_face(next.boundary++, half);
      if (!is_first(half)) continue;
      int place = n++;
      for (; place > 0 && other_[inner[place - 1]] > other_[half]; --place) inner[place] = inner[place - 1];
      inner[place] = half;
    }
    for (int i = 0; i < n; ++i) set_face(next.inner++, inner[i]);
  }
  void set_face(int face, int half) {
    const auto nodes = halves_.nodes(half);
    std::copy(nodes.begin(), nodes.end(), mesh_.face_nodes.begin() + std::ptrdiff_t(face) * dims);
    const int other = other_[half];
    mesh_.face_cells[2 * std::size_t(face)] = halves_.cell_of(half);
    mesh_.face_cells[2 * std::size_t(face) + 1] = other < 0 ? -1 : halves_.cell_of(other);
    mesh_.cell_faces[half] = face;
    if (other >= 0) mesh_.cell_faces[other] = reversed(face);
  }

  Mesh& mesh_;
  HalfFaces<dims> halves_;
  const std::vector<int>& other_;
};

// Numbers the edges of tetrahedra. Side s = 3 f + k of face f leads from its node k to the next.
class EdgeNumbers {
 public:
  explicit EdgeNumbers(Mesh& mesh) : mesh_(mesh) {}

  void set() {
    const int nodes = int(mesh_.nodes.size());
    Buckets by_node = fill_buckets(int(mesh_.face_nodes.size()), nodes,
                                   [this](int side) { return std::min(from(side), to(side)); });
    std::vector<int> first(std::size_t(nodes) + 1, 0);
#pragma omp parallel for schedule(dynamic, 1024)
    for (int n = 0; n < nodes; ++n) first[n + 1] = sort_and_count(by_node, n);
    for (int n = 0; n < nodes; ++n) first[n + 1] += first[n];
    mesh_.edge_nodes.resize(2 * std::size_t(first[nodes]));
    mesh_.face_edges.resize(mesh_.face_nodes.size());
#pragma omp parallel for schedule(dynamic, 1024)
    for (int n = 0; n < nodes; ++n) number_edges(by_node, n, first[n]);
  }

 private:
  int from(int side) const { return mesh_.face_nodes[side]; }
  int to(int side) const { return mesh_.face_nodes[side % 3 == 2 ? side - 2 : side + 1]; }
  int higher(int side) const { return std::max(from(side), to(side)); }

  // Sorts the sides whose lower node is `n` by their higher node. Returns how many edges they are.
  int sort_and_count(Buckets& by_node, int n) const {
    const auto begin = by_node.items.begin() + by_node.begin[n],
               end = by_node.items.begin() + by_node.begin[n + 1];
    std::sort(begin, end, [this](int a, int b) { return higher(a) < higher(b); });
    int edges = 0;
    for (auto side = begin; side != end; ++side) edges += side == begin || higher(side[-1]) != higher(*side);
    return edges;
  }
  void number_edges(const Buckets& by_node, int n, int first) {
    int edge = first - 1, last = -1;
    for (int i = by_node.begin[n]; i < by_node.begin[n + 1]; ++i) {
      const int side = by_node.items[i], end = higher(side);
      if (end != last) {
        ++edge;
        mesh_.edge_nodes[2 * std::size_t(edge)] = n;
        mesh_.edge_nodes[2 * std::size_t(edge) + 1] = end;
      }
      last = end;
      mesh_.face_edges[side] = from(side) < to(side) ? edge : reversed(edge);
    }
  }

  Mesh& mesh_;
};

}  // namespace

void connect(Mesh& mesh) {
  const std::vector<int> other = paired_half_faces(mesh);
  mesh.edge_nodes.clear();
  mesh.face_edges.clear();
  if (mesh.dims == 2) return FaceNumbers<2>(mesh, other).set();
  FaceNumbers<3>(mesh, other).set();
  if (mesh.face_nodes.size() > std::size_t(std::numeric_limits<int>::max()))
    throw std::invalid_argument(fmt::format("{} faces have too many edges for 32-bit numbers", mesh.faces()));
  EdgeNumbers(mesh).set();
}

std::vector<int> cell_neighbours(const Mesh& mesh) {
  std::vector<int> neighbours = paired_half_faces(mesh);
  const int per_cell = mesh.dims + 1;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < neighbours.size(); ++i)
    if (neighbours[i] >= 0) neighbours[i] /= per_cell;
  return neighbours;
}

Incidence faces_around(const Mesh& mesh) {
  const bool flat = mesh.dims == 2;
  const std::vector<int>& ends = flat ? mesh.face_nodes : mesh.face_edges;
  const int owners = flat ? int(mesh.nodes.size()) : mesh.edges();
  Buckets sides = fill_buckets(int(ends.size()), owners, [&](int side) { return number_of(ends[side]); });
#pragma omp parallel for schedule(dynamic, 1024)
  for (int owner = 0; owner < owners; ++owner) {
    const auto begin = sides.items.begin() + sides.begin[owner],
               end = sides.items.begin() + sides.begin[owner + 1];
    std::sort(begin, end);
    std::for_each(begin, end, [&](int& side) {
      const int face = side / mesh.dims;
      const bool against = flat ? side % 2 == 0 : is_reversed(ends[side]);
      side = against ? reversed(face) : face;
    });
  }
  return {std::move(sides.begin), std::move(sides.items)};
}

}  // namespace cfdmark
