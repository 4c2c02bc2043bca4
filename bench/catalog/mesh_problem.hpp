// The meshes of cases: made or read, numbered and connected.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/cells/indexed/device_mesh.hpp"
#include "kernels/core/config.hpp"
#include "kernels/core/domain.hpp"
#include "kernels/core/setting.hpp"
#include "kernels/mesh/generate.hpp"
#include "kernels/mesh/number.hpp"

namespace cfdmark {

// A connected mesh with what it took to make it. Seconds.
struct CaseMesh {
  std::shared_ptr<const Mesh> mesh;
  double make = 0, number = 0, connect = 0;
  nlohmann::json facts;  // `mesh_facts` of a record (results/README.md), but for the requested bytes
};

// The setting `numbering` of all kernels on meshes: the order of cells, faces, edges and nodes. Its word
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
// Returns the bytes of a kernel's lists on a device: neighbours, their places and an order, an upper limit
// for layouts of 32 bits.
double list_bytes(const MeshRef&);

// Returns the mesh in a numbering. The last one is kept and shared by its cases. Throws as known() does,
// and std::invalid_argument for a numbering that is not built.
std::shared_ptr<const CaseMesh> case_mesh(const MeshRef&, Numbering);
// Returns the lists of a mesh on a device. The last ones are kept and shared by the cases of that mesh.
std::shared_ptr<DeviceMesh> lists_on(Backend&, const std::shared_ptr<const Mesh>&);
// Drops the kept mesh and lists; cases that use them still own them.
void release_case_mesh();

}  // namespace cfdmark
