// Writes meshes for Gmsh and programs that read its formats.
#pragma once

#include <iosfwd>
#include <string>

#include "kernels/mesh/files/mesh_file.hpp"

namespace cfdmark {

enum class MshFormat { text_2_2, binary_2_2, text_4_1, binary_4_1 };

// Writes group faces, cells, and the names of groups; nodes and elements are numbered from 1, faces first.
// All cells are in the first group of cells, or in one without a name. Coordinates in text have the digits
// that identify the double. read_msh returns an equal mesh; version 4.1 lists group faces in the order of
// tags.
void write_msh(const MeshFile&, MshFormat, std::ostream&);

// The same to a file. Throws MeshFileError (unwritable).
void write_msh(const MeshFile&, MshFormat, const std::string& path);

}  // namespace cfdmark
