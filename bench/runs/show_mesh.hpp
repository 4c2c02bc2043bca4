// cfdmark mesh: a mesh in one or more numberings, its quality, and files of it.
#pragma once

#include <string>
#include <vector>

namespace cfdmark {

struct MeshRequest {
  std::string mesh;                     // triangles-178x178, or a file
  std::vector<std::string> numberings;  // empty: lattice
  std::string output;                   // .vtu or .msh; empty: none
};

// Prints counts, quality and how near each numbering keeps neighbours, and writes the file, in the first
// numbering. Throws std::invalid_argument for an unknown mesh, numbering or ending, and MeshFileError.
void show_mesh(const MeshRequest&);

}  // namespace cfdmark
