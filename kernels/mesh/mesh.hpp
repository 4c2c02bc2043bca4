// An unstructured mesh of triangles or tetrahedra on the host, and how its cells, faces, edges and nodes are
// connected.
#pragma once

#include <array>
#include <vector>

#include "kernels/mesh/entity.hpp"

namespace cfdmark {

using Point = std::array<double, 3>;  // z is 0 in 2-D

// Per entity of one kind a list of entities of another.
struct Incidence {
  std::vector<int> begin{0};  // first entry of each list, then the number of entries
  std::vector<Oriented> entries;
};

// Numbers of nodes, cells and so on are 32-bit. Lists of fixed length are stored one after another: those of
// cell c at [c * n, (c + 1) * n).
struct Mesh {
  int dims = 2;  // 2: triangles, 3: tetrahedra
  std::vector<Point> nodes;
  std::vector<int> cell_nodes;  // dims + 1 per cell, of positive area or volume

  // The rest follows from cells and nodes (connect.hpp).
  //
  // A face's normal leaves its first cell and enters its second. In 2-D the normal is (dy, -dx) along the
  // face from its first node to its second; in 3-D it follows from its nodes by the right-hand rule.
  std::vector<int> face_nodes;       // dims per face
  std::vector<int> face_cells;       // 2 per face; the second is -1 at the boundary
  std::vector<Oriented> cell_faces;  // dims + 1 per cell, reversed where the normal enters the cell
  int inner_faces = 0;               // faces with two cells; those of the boundary come after them
  // 3-D only. An edge leads from its first node to its second. It is reversed in a face if it runs against
  // the right-hand rule around the normal.
  std::vector<int> edge_nodes;       // 2 per edge
  std::vector<Oriented> face_edges;  // 3 per face

  int cells() const { return int(cell_nodes.size()) / (dims + 1); }
  int faces() const { return int(face_nodes.size()) / dims; }
  int edges() const { return int(edge_nodes.size()) / 2; }
  int boundary_faces() const { return faces() - inner_faces; }
  int count(Entity entity) const {
    switch (entity) {
      case Entity::cell: return cells();
      case Entity::face: return faces();
      case Entity::edge: return edges();
      case Entity::node: break;
    }
    return int(nodes.size());
  }
};

}  // namespace cfdmark
