#include "kernels/mesh/pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>

#include "kernels/mesh/buckets.hpp"
#include "kernels/mesh/half_faces.hpp"
#include "kernels/mesh/joined.hpp"

namespace cfdmark {
namespace {

// Returns the first index in [0, n) for which `wrong` is true; n if it is true for none.
template <class Wrong>
int first_wrong(int n, Wrong&& wrong) {
  int first = n;
#pragma omp parallel for schedule(static) reduction(min : first)
  for (int i = 0; i < n; ++i)
    if (wrong(i)) first = std::min(first, i);
  return first;
}

void check_size(const Mesh& mesh) {
  if (mesh.dims != 2 && mesh.dims != 3)
    throw std::invalid_argument(fmt::format("a mesh has 2 or 3 dimensions, not {}", mesh.dims));
  const std::size_t per_cell = mesh.dims + 1, entries = mesh.cell_nodes.size();
  if (entries % per_cell != 0)
    throw std::invalid_argument(
        fmt::format("{} node numbers do not make cells of {} nodes each", entries, per_cell));
  const std::size_t most = std::numeric_limits<int>::max();
  if (entries > most || mesh.nodes.size() > most)
    throw std::invalid_argument(fmt::format("{} cells and {} nodes are too many for 32-bit numbers",
                                            entries / per_cell, mesh.nodes.size()));
}

// A half face among those with the same lowest node.
struct HalfFace {
  std::uint64_t others;  // its other nodes, ascending
  int half;
  bool odd;
};

template <int dims>
class HalfFacePairs {
 public:
  explicit HalfFacePairs(const Mesh& mesh)
      : mesh_(mesh),
        halves_(mesh),
        by_node_(fill_buckets(halves_.count(), int(mesh.nodes.size()),
                              [this](int half) { return halves_.lowest_node(half); })),
        other_(halves_.count(), -1) {}

  std::vector<int> paired() && {
    const int nodes = int(mesh_.nodes.size());
    int wrong = nodes;
#pragma omp parallel reduction(min : wrong)
    {
      std::vector<HalfFace> candidates;
#pragma omp for schedule(dynamic, 1024)
      for (int node = 0; node < nodes; ++node)
        if (!pair_at(node, candidates)) wrong = std::min(wrong, node);
    }
    if (wrong < nodes) refuse(wrong);
    return std::move(other_);
  }

 private:
  static bool same_face(const HalfFace& a, const HalfFace& b) { return a.others == b.others; }

  // Sets the half faces whose lowest node is `node`, sorted by face, then by cell.
  void sort_at(int node, std::vector<HalfFace>& candidates) const {
    candidates.clear();
    for (int i = by_node_.begin[node]; i < by_node_.begin[node + 1]; ++i) {
      const int half = by_node_.items[i];
      const auto face = halves_.sorted(half);
      std::uint64_t others = 0;
      for (int k = 1; k < dims; ++k) others = others << 32 | std::uint64_t(face.nodes[k]);
      candidates.push_back({others, half, face.odd});
    }
    std::sort(candidates.begin(), candidates.end(), [](const HalfFace& a, const HalfFace& b) {
      return a.others != b.others ? a.others < b.others : a.half < b.half;
    });
  }

  // Pairs the half faces whose lowest node is `node`. Returns false if that is not possible.
  bool pair_at(int node, std::vector<HalfFace>& candidates) {
    sort_at(node, candidates);
    for (std::size_t i = 0; i + 1 < candidates.size(); ++i) {
      const HalfFace &a = candidates[i], &b = candidates[i + 1];
      if (!same_face(a, b)) continue;
      if (a.odd == b.odd || (i + 2 < candidates.size() && same_face(a, candidates[i + 2]))) return false;
      other_[a.half] = b.half;
      other_[b.half] = a.half;
      ++i;
    }
    return true;
  }

  // Throws the reason why pair_at(node) fails.
  [[noreturn]] void refuse(int node) const {
    std::vector<HalfFace> all;
    sort_at(node, all);
    for (auto a = all.begin();;) {
      const auto end = std::find_if(a, all.end(), [&](const HalfFace& c) { return !same_face(*a, c); });
      if (end - a > 2 || (end - a == 2 && a[0].odd == a[1].odd)) refuse_face({a, end});
      a = end;
    }
  }
  [[noreturn]] void refuse_face(const std::vector<HalfFace>& halves) const {
    std::vector<int> cells;
    for (const HalfFace& h : halves) cells.push_back(halves_.cell_of(h.half));
    if (have_same_nodes(cells[0], cells[1]))
      throw std::invalid_argument(fmt::format("cells {} and {} have the same nodes", cells[0], cells[1]));
    const std::string face = fmt::format("cells {} and {} share the face with nodes {}",
                                         joined(std::span(cells).first(cells.size() - 1), ", "), cells.back(),
                                         joined(halves_.sorted(halves[0].half).nodes, ", "));
    if (cells.size() > 2) throw std::invalid_argument(face + ": a face belongs to at most two cells");
    throw std::invalid_argument(face + " in the same orientation: one of them is inverted or they overlap");
  }
  bool have_same_nodes(int a, int b) const {
    const auto of = [this](int cell) {
      const auto first = mesh_.cell_nodes.begin() + std::ptrdiff_t(cell) * (dims + 1);
      std::vector<int> nodes(first, first + dims + 1);
      std::sort(nodes.begin(), nodes.end());
      return nodes;
    };
    return of(a) == of(b);
  }

  const Mesh& mesh_;
  HalfFaces<dims> halves_;
  Buckets by_node_;
  std::vector<int> other_;
};

}  // namespace

void check_node_numbers(const Mesh& mesh) {
  check_size(mesh);
  const int per_cell = mesh.dims + 1, nodes = int(mesh.nodes.size());
  const auto of_cell = [&](int c) { return mesh.cell_nodes.data() + std::size_t(c) * per_cell; };
  const int c = first_wrong(mesh.cells(), [&](int cell) {
    const int* n = of_cell(cell);
    for (int i = 0; i < per_cell; ++i) {
      if (n[i] < 0 || n[i] >= nodes) return true;
      for (int j = 0; j < i; ++j)
        if (n[i] == n[j]) return true;
    }
    return false;
  });
  if (c == mesh.cells()) return;
  const std::vector<int> n(of_cell(c), of_cell(c) + per_cell);
  const bool missing = std::any_of(n.begin(), n.end(), [&](int i) { return i < 0 || i >= nodes; });
  throw std::invalid_argument(fmt::format(
      "cell {} has nodes {}: {}", c, joined(n, ", "),
      missing ? fmt::format("nodes are numbered from 0 to {}", nodes - 1) : "its nodes must differ"));
}

std::vector<int> paired_half_faces(const Mesh& mesh) {
  check_node_numbers(mesh);
  return mesh.dims == 2 ? HalfFacePairs<2>(mesh).paired() : HalfFacePairs<3>(mesh).paired();
}

}  // namespace cfdmark
