// Reads meshes of Gmsh: MSH 2.2 and 4.1, text or binary.
#pragma once

#include <string>
#include <string_view>

#include "kernels/mesh/files/mesh_file.hpp"
#include "kernels/mesh/files/mesh_file_error.hpp"

namespace cfdmark {

// Returns the mesh in a file of Gmsh. Tetrahedra are its cells, with triangles as faces in groups; without
// tetrahedra triangles are the cells, with lines as faces in groups. Points are read and ignored.
// Numbers of nodes and elements may begin anywhere and have gaps. Throws MeshFileError for whatever is not a
// sound mesh (checked_mesh), with the line, or the byte in a binary file. Memory stays within a few times the
// size of the file, whatever counts the file announces.
MeshFile read_msh_file(const std::string& path);

// The same for bytes in memory; `file` is the name for errors.
MeshFile read_msh(std::string_view bytes, const std::string& file);

}  // namespace cfdmark
