// The mesh of a domain: made or read, numbered and connected.
#pragma once

#include <memory>

#include "kernels/core/config.hpp"
#include "kernels/core/domain.hpp"
#include "kernels/core/setting.hpp"
#include "kernels/mesh/generate.hpp"
#include "kernels/mesh/number.hpp"
#include "kernels/mesh/quality.hpp"

namespace cfdmark {

// A connected mesh with what it took to make it, in seconds, and how well it is numbered and shaped.
struct MadeMesh {
  std::shared_ptr<const Mesh> mesh;
  double make = 0, number = 0, connect = 0;
  NumberingFacts numbering;
  MeshQuality shape;
};

// The setting `numbering` of all work on meshes: the order of cells, faces, edges and nodes. Its word
// `lattice` is Numbering::stored.
Setting numbering_setting();
Numbering numbering_of(const Config& workload);

// Returns a mesh of a file with its dimension, cells and checksum, and any other mesh unchanged. Throws
// MeshFileError for a file that is not a sound mesh, and std::invalid_argument if its checksum is not the
// required one.
MeshRef known(const MeshRef&);
// Returns the counts of a mesh before it is made; for a file upper limits that follow from its cells.
MeshCounts counts_of(const MeshRef&);
// Returns the bytes of the mesh on the host, and of what making it needs.
double mesh_bytes(const MeshRef&);

// Returns the mesh in a numbering. The last one is kept and shared. Throws as known() does, and
// std::invalid_argument for a numbering that is not built. Not for use by several threads at once.
std::shared_ptr<const MadeMesh> made_mesh(const MeshRef&, Numbering);
// Returns true if made_mesh() would return the kept mesh.
bool is_kept(const MeshRef&, Numbering);
// Drops the kept mesh; what uses it still owns it.
void release_made_mesh();

}  // namespace cfdmark
