// A binary file of a mesh with a checksum: faster to read than other formats, and exact.
#pragma once

#include <string>
#include <string_view>

#include "kernels/mesh/files/mesh_file.hpp"

namespace cfdmark {

// Returns the bytes of a mesh file, little-endian:
//
//    0  "cfdmesh\n"
//    8  checksum of all bytes from 16 on
//   16  version, dims: 32 bits each
//   24  numbers of nodes, cells, group faces and groups: 64 bits each
//   56  nodes, cell_nodes, group_face_nodes, group_face_tags
//       per group dims, tag and length of the name (32 bits each), then the name
std::string mesh_cache_bytes(const MeshFile&);

// Writes a file of this format. Throws MeshFileError (unwritable).
void write_mesh_cache(const std::string& path, const MeshFile&);

// Returns the mesh in such a file, checked as read_msh checks meshes. Throws MeshFileError: unknown_format,
// truncated, wrong_count (more bytes than announced), wrong_checksum, or a reason of checked_mesh.
MeshFile read_mesh_cache(const std::string& path);

// The same for bytes in memory; `file` is the name for errors.
MeshFile mesh_of_cache(std::string_view bytes, const std::string& file);

}  // namespace cfdmark
