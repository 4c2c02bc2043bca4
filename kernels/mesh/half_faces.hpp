// The faces of cells before they are numbered.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "kernels/mesh/cell_shape.hpp"
#include "kernels/mesh/mesh.hpp"

namespace cfdmark {

// Half face h is face h % (dims + 1) of cell h / (dims + 1). An inner face consists of two half faces.
template <int dims>
class HalfFaces {
 public:
  using Nodes = std::array<int, dims>;
  struct Sorted {
    Nodes nodes;  // ascending
    bool odd;     // true if an odd number of swaps sorted them
  };

  explicit HalfFaces(const Mesh& mesh)
      : nodes_(mesh.cell_nodes.data()), count_(int(mesh.cell_nodes.size())) {}

  int count() const { return count_; }
  static int cell_of(int half) { return half / (dims + 1); }
  // Returns the nodes of a half face in the order whose normal leaves its cell.
  Nodes nodes(int half) const {
    const int cell = cell_of(half), face = half - cell * (dims + 1);
    const int* of_cell = nodes_ + std::size_t(cell) * (dims + 1);
    Nodes n;
    for (int k = 0; k < dims; ++k) n[k] = of_cell[CellShape<dims>::face[face][k]];
    return n;
  }
  Sorted sorted(int half) const {
    Sorted s{nodes(half), false};
    const auto order = [&s](int i, int j) {
      if (s.nodes[i] <= s.nodes[j]) return;
      std::swap(s.nodes[i], s.nodes[j]);
      s.odd = !s.odd;
    };
    order(0, 1);
    if constexpr (dims == 3) {
      order(1, 2);
      order(0, 1);
    }
    return s;
  }
  int lowest_node(int half) const {
    const Nodes n = nodes(half);
    int lowest = n[0];
    for (int k = 1; k < dims; ++k) lowest = n[k] < lowest ? n[k] : lowest;
    return lowest;
  }

 private:
  const int* nodes_;
  int count_;
};

}  // namespace cfdmark
