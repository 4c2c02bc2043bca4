// The meshes of cases: their facts in records, and their lists on a device.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/cells/indexed/device_mesh.hpp"
#include "kernels/mesh/files/made_mesh.hpp"

namespace cfdmark {

// Returns `mesh_facts` of a record (results/README.md), but for the requested bytes.
nlohmann::json mesh_facts(const MadeMesh&);

// Returns the bytes of a kernel's lists on a device: neighbours, their places and an order, an upper limit
// for layouts of 32 bits.
double list_bytes(const MeshRef&);

// Returns made_mesh(), after it has dropped the kept lists of another mesh.
std::shared_ptr<const MadeMesh> case_mesh(const MeshRef&, Numbering);
// Returns the lists of a mesh on a device. The last ones are kept and shared by the cases of that mesh.
std::shared_ptr<DeviceMesh> lists_on(Backend&, const std::shared_ptr<const Mesh>&);
// Drops the kept mesh and lists; cases that use them still own them.
void release_meshes();

}  // namespace cfdmark
