// The serial method `plain` of a kernel on a mesh, on some of its results.
#pragma once

#include <functional>
#include <vector>

#include "kernels/cells/indexed/mesh_kernel.hpp"

namespace cfdmark {

// Computes results first .. end - 1: those of entities with lists if the kernel gathers, of neighbours if it
// scatters.
using ResultRange = std::function<void(Index first, Index end)>;

// Returns the loop of `plain` with the default layout. The build writes a file per kernel that instantiates
// it (plain_range_cpu.hpp).
template <class K>
ResultRange plain_range(const MeshArgs<K>&);

// A field of a kernel on a mesh of given dimensions.
struct MeshFieldFacts {
  MeshRole role;
  MeshValue value;
  Entity entity;
  int components;
};
template <class K>
std::vector<MeshFieldFacts> mesh_field_facts(int dims) {
  std::vector<MeshFieldFacts> facts;
  for_each_mesh_field<K>(K::names, [&](const auto& name) {
    facts.push_back({name.role, name.value, entity_of<K>(name, dims), name.components_in(dims)});
  });
  return facts;
}

}  // namespace cfdmark
