// The parts that generated meshes of triangles and of tetrahedra have in common.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/mesh/mesh.hpp"

namespace cfdmark {

// A box of a x b x c boxes and its nodes, x first. In 2-D c is 0: one layer of nodes.
class Lattice {
 public:
  // `per_unit`: how many boxes have the length 1 in each direction. A quotient of integers is exact at 0
  // and 1.
  Lattice(std::array<int, 3> boxes, Point per_unit) : boxes_(boxes), per_unit_(per_unit) {}

  int nodes() const { return (boxes_[0] + 1) * (boxes_[1] + 1) * (boxes_[2] + 1); }
  int node(int i, int j, int k) const { return i + (boxes_[0] + 1) * (j + (boxes_[1] + 1) * k); }
  // Returns all nodes. Those inside are moved by up to 0.15 of a box, by numbers that follow from the seed.
  std::vector<Point> moved_nodes(std::uint64_t seed) const;

 private:
  bool is_inside(int axis, int i) const { return boxes_[axis] == 0 || (i > 0 && i < boxes_[axis]); }

  std::array<int, 3> boxes_;
  Point per_unit_;
};

// Replaces `extra` different cells, chosen by the seed, by dims + 1 cells around a new node at their
// centroid.
void insert_centroids(Mesh&, int extra, std::uint64_t seed);

// Throws std::logic_error, naming the cell, unless all areas or volumes are positive.
void assert_positive(const Mesh&);

}  // namespace cfdmark
