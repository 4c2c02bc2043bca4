// The partition of a mesh: the part of each cell, and the part that owns what cells share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/mesh/mesh.hpp"

namespace cfdmark {

// How the cells of a mesh are parted.
//   bisection  recursive bisection of the centroids across the longest side of their box: all parts have the
//              same number of cells to within one. Equal coordinates are ordered by the cells' numbers
//   metis      METIS: few faces between parts
enum class MeshCut { bisection, metis };

// Returns the cut of that name. Throws std::invalid_argument, naming the valid words.
MeshCut mesh_cut_from(std::string_view word);
// Returns why this build has no such cut; empty if it has it.
std::string not_built_reason(MeshCut);

class MeshPartition {
 public:
  // Cuts a connected mesh. Throws std::invalid_argument, with both numbers, if a part would have no cells,
  // and for a cut that is not built.
  static MeshPartition of(const Mesh&, int parts, MeshCut);
  // Takes the part of each cell, 0 .. parts - 1. Throws std::invalid_argument for other numbers.
  MeshPartition(const Mesh&, std::vector<int> part_of_cell, int parts);

  int parts() const { return int(cells_of_.size()); }
  // Returns the part that owns each entity: of all parts whose cells have it, the highest.
  const std::vector<int>& owners(Entity) const;
  int cells_of(int part) const { return cells_of_[std::size_t(part)]; }
  // Returns the number of faces whose two cells are in different parts.
  int cut_faces() const { return cut_faces_; }
  // Returns the most cells of a part over the mean, less 1: 0 if all are equal.
  double imbalance() const;

 private:
  std::vector<int> cell_, face_, edge_, node_;  // owners
  std::vector<int> cells_of_;
  int cut_faces_ = 0;
};

}  // namespace cfdmark
