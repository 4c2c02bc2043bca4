// cfdmark mesh: a mesh in one or more numberings, its quality, its parts, and files of it.
#pragma once

#include <string>
#include <vector>

namespace cfdmark {

struct MeshRequest {
  std::string mesh;                     // triangles-178x178, or a file
  std::vector<std::string> numberings;  // empty: lattice
  std::string output;                   // .vtu or .msh; empty: none
  int ranks = 1;                        // parts that the mesh is cut into
  std::string partition = "bisection";  // a word of mesh_cut_from
};

// Prints counts, quality, how near each numbering keeps neighbours, and the parts of several ranks, and
// writes the file, in the first numbering. Throws std::invalid_argument for an unknown mesh, numbering,
// ending or partition, and MeshFileError.
void show_mesh(const MeshRequest&);

}  // namespace cfdmark
