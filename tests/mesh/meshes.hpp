// Meshes and identities that several tests of meshes use.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "kernels/mesh/connect.hpp"
#include "kernels/mesh/generate.hpp"

namespace cfdmark {

inline Mesh connected(Mesh mesh) {
  connect(mesh);
  return mesh;
}

// The unit square cut along its diagonal from (0, 0) to (1, 1).
inline Mesh two_triangles() {
  Mesh mesh;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  mesh.cell_nodes = {0, 1, 2, 0, 2, 3};
  return mesh;
}

// Two tetrahedra on both sides of the triangle (1, 0, 0), (0, 1, 0), (0, 0, 1).
inline Mesh two_tetrahedra() {
  Mesh mesh;
  mesh.dims = 3;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  mesh.cell_nodes = {0, 1, 2, 3, 4, 1, 3, 2};
  return mesh;
}

// Small meshes of both kinds and of all generators.
inline std::vector<Mesh> small_meshes() {
  return {connected(triangles(9, 7, 0, 1)), connected(triangles(9, 7, 40, 2)),
          connected(tetrahedra(4, 3, 5, 0, 3)), connected(tetrahedra(4, 3, 5, 100, 4))};
}

// Returns D C as integers: for each cell what the faces' boundaries add to each of its nodes (2-D) or edges.
inline std::vector<std::map<int, int>> divergence_of_curl(const Mesh& mesh) {
  std::vector<std::map<int, int>> sums(mesh.cells());
  for (int i = 0; i < int(mesh.cell_faces.size()); ++i) {
    const int face = number_of(mesh.cell_faces[i]), sign = sign_of(mesh.cell_faces[i]);
    std::map<int, int>& row = sums[i / (mesh.dims + 1)];
    if (mesh.dims == 2) {
      row[mesh.face_nodes[2 * face]] -= sign;
      row[mesh.face_nodes[2 * face + 1]] += sign;
    } else {
      for (int k = 0; k < 3; ++k) {
        const Oriented edge = mesh.face_edges[3 * face + k];
        row[number_of(edge)] += sign * sign_of(edge);
      }
    }
  }
  return sums;
}

inline bool all_zero(const std::vector<std::map<int, int>>& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const auto& row) {
    return std::all_of(row.begin(), row.end(), [](const auto& entry) { return entry.second == 0; });
  });
}

}  // namespace cfdmark
