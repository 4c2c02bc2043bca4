// The mesh of a problem: made or read, numbered and connected.
#pragma once

#include <memory>

#include "kernels/core/config.hpp"
#include "kernels/core/domain.hpp"
#include "kernels/mesh/generate.hpp"

namespace cfdmark {

// The setting `numbering` of problems on meshes, as of kernels on meshes: the order of cells, faces and
// nodes.
Setting problem_numbering();

// Returns the connected mesh of a domain in the numbering of `settings`. Throws std::invalid_argument for a
// file whose checksum is another one and for a numbering that is not built, and MeshFileError for a file that
// is not a sound mesh.
std::shared_ptr<const Mesh> problem_mesh(const MeshRef&, const Config& settings);

// Returns the counts of a mesh before it is made; for a file upper limits that follow from its cells.
MeshCounts most_counts(const MeshRef&);

}  // namespace cfdmark
