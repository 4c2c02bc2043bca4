// The entities of a mesh, their orientation, and the lists that connect them. NVRTC reads this file, so it
// includes no standard header.
#pragma once

namespace cfdmark {

// Location of a value of a field on a mesh. In 2-D a face is a side of a triangle, and the edges of the
// theory are the nodes; only meshes of tetrahedra have edges.
enum class Entity { cell, face, edge, node };

// A number of an entity together with its orientation: the number itself, or its complement, which is
// negative, if the entity points the other way.
using Oriented = int;
constexpr Oriented reversed(Oriented n) { return ~n; }
constexpr bool is_reversed(Oriented n) { return n < 0; }
constexpr int number_of(Oriented n) { return n < 0 ? ~n : n; }
constexpr int sign_of(Oriented n) { return n < 0 ? -1 : 1; }

// The neighbours of each entity: face_cells lists the cells of a face. In 2-D the edges are the nodes: the
// edges of a face are its start, reversed, and its end.
enum class Connection { face_cells, cell_faces, face_edges, edge_faces, cell_nodes };

// Meaning of a negative entry of a list: none occurs, the neighbour is reversed, or there is no neighbour.
enum class Marks { none, signs, gaps };

// The entities that have the lists, and those in the lists.
constexpr Entity edges_in(int dims) { return dims == 3 ? Entity::edge : Entity::node; }
constexpr Entity entities_with(Connection c, int dims) {
  switch (c) {
    case Connection::face_cells:
    case Connection::face_edges: return Entity::face;
    case Connection::edge_faces: return edges_in(dims);
    case Connection::cell_faces:
    case Connection::cell_nodes: break;
  }
  return Entity::cell;
}
constexpr Entity neighbours_in(Connection c, int dims) {
  switch (c) {
    case Connection::face_cells: return Entity::cell;
    case Connection::face_edges: return edges_in(dims);
    case Connection::cell_nodes: return Entity::node;
    case Connection::cell_faces:
    case Connection::edge_faces: break;
  }
  return Entity::face;
}

// Number of neighbours of each entity; 0 if it differs between entities.
constexpr int degree_of(Connection c, int dims) {
  switch (c) {
    case Connection::face_cells: return 2;
    case Connection::face_edges: return dims == 3 ? 3 : 2;
    case Connection::edge_faces: return 0;
    case Connection::cell_faces:
    case Connection::cell_nodes: break;
  }
  return dims + 1;
}

constexpr Marks marks_of(Connection c) {
  switch (c) {
    case Connection::face_cells: return Marks::gaps;
    case Connection::cell_nodes: return Marks::none;
    case Connection::cell_faces:
    case Connection::face_edges:
    case Connection::edge_faces: break;
  }
  return Marks::signs;
}

}  // namespace cfdmark
