// A mesh as a file describes it, with the groups that its author named.
#pragma once

#include <string>
#include <vector>

#include "kernels/mesh/mesh.hpp"

namespace cfdmark {

// A physical group of Gmsh: a named set of elements of one dimension.
struct PhysicalGroup {
  int dims = 0;  // 0: points to 3: volumes
  int tag = 0;
  std::string name;
  bool operator==(const PhysicalGroup&) const = default;
};

// Nodes and cells keep the order of the file. Groups of cells are not kept, only those of faces.
struct MeshFile {
  Mesh mesh;  // nodes and cell_nodes only; connect.hpp adds the rest
  std::vector<PhysicalGroup> groups;

  // Faces of cells that belong to a physical group, most of them at the boundary. A face of two groups is
  // listed twice. Faces of the boundary without a group are not listed.
  std::vector<int> group_face_nodes;  // mesh.dims per entry
  std::vector<int> group_face_tags;   // 1 per entry

  // Changes by the reader.
  int reoriented_cells = 0;  // of negative area or volume: their last two nodes were swapped
  int unused_nodes = 0;      // of no cell: dropped
};

}  // namespace cfdmark
