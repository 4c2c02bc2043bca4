// The mesh of one part of a partition, with the cells around it.
#pragma once

#include <array>
#include <vector>

#include "kernels/mesh/mesh_partition.hpp"

namespace cfdmark {

// The cells of a part and all that share a node with them, with their faces, edges and nodes. Every list of
// what the part owns is complete, and its entries have the order of the whole mesh, so that a kernel adds in
// the same order as on the whole mesh.
//
// Entities have the order of the whole mesh; of faces those with two cells here come first. A face keeps its
// orientation: its normal enters its only cell here if that is its second in the whole mesh.
class MeshPart {
 public:
  MeshPart(const Mesh& whole, const MeshPartition&, int part);

  const Mesh& mesh() const { return mesh_; }
  int part() const { return part_; }
  // Returns for each entity here its number in the whole mesh.
  const std::vector<int>& numbers(Entity e) const { return numbers_[std::size_t(e)]; }
  // Returns for each entity here the part that owns it.
  const std::vector<int>& owners(Entity e) const { return owners_[std::size_t(e)]; }
  bool owns(Entity e, int n) const { return owners(e)[std::size_t(n)] == part_; }

 private:
  Mesh mesh_;
  int part_;
  std::array<std::vector<int>, 4> numbers_, owners_;
};

}  // namespace cfdmark
