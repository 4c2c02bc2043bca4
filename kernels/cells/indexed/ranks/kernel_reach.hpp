// Values of other ranks that a kernel on a mesh reads, and the results that depend on them.
#pragma once

#include <vector>

#include "kernels/cells/indexed/device_mesh.hpp"
#include "kernels/mesh/mesh_part.hpp"

namespace cfdmark {

// Consecutive entities first .. end - 1.
struct EntityRun {
  int first = 0, end = 0;
  bool operator==(const EntityRun&) const = default;
};

// Entities that a kernel around a connection visits to compute what a part owns.
struct KernelReach {
  // Flags of ghosts that are read: neighbours by Gather, entities with the lists by In.
  std::vector<char> neighbours, entities;
  // Results that the part owns, as ascending ranges: `inside` reads no ghosts, `edge` does.
  std::vector<EntityRun> inside, edge;
};

// Returns the reach of a kernel that gathers, whose results are at the entities with the lists, or of one
// that scatters: its results are at the neighbours, and the body of each entity around them is computed.
KernelReach kernel_reach(const MeshPart&, Connection around, bool scatters);

}  // namespace cfdmark
