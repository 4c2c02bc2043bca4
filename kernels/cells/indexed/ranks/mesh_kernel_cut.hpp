// The part of a mesh on which a rank runs a kernel, and the values that it receives from other ranks.
#pragma once

#include <memory>
#include <vector>

#include "kernels/cells/indexed/mesh_kernel.hpp"
#include "kernels/cells/indexed/ranks/kernel_reach.hpp"
#include "kernels/cells/indexed/ranks/plain_range.hpp"
#include "kernels/ranks/entity_exchange.hpp"

namespace cfdmark {

// The facts about a kernel by which its fields are distributed over ranks.
struct MeshKernelFacts {
  Connection around;
  bool scatters;
  std::vector<MeshFieldFacts> fields;
};
template <class K>
MeshKernelFacts mesh_kernel_facts(int dims) {
  return {K::around, scatters<K>, mesh_field_facts<K>(dims)};
}

// The fields of a kernel on the part of a rank, on any device.
class MeshKernelCut {
 public:
  // Part r of the partition is that of rank r, the mesh of the shape the whole one.
  MeshKernelCut(MeshKernelFacts, const MeshShape& whole, const MeshPartition&, int rank);

  const MeshPart& part() const { return *part_; }
  const KernelReach& reach() const { return reach_; }
  // Returns the shape of the kernel's problem on the part.
  MeshShape shape() const;

  int fields() const { return int(facts_.fields.size()); }
  Grid grid(int field) const;
  bool is_written(int field) const { return cfdmark::is_written(facts(field).role); }
  // Returns true if other ranks change what this one reads of a field.
  bool is_exchanged(int field) const;
  // Collective. Returns the messages that fill the ghosts of a field that is exchanged.
  EntityMessages messages(Ranks&, int field) const;
  // Returns where a field of the part has its values.
  EntityValues values(int field, const AnyView&) const;

  // Copies from fields of the whole mesh to those of the part what the rank owns, and constants of the mesh
  // also at ghosts. Ghosts that an exchange fills are set to NaN. All are in memory of the host.
  void load(const std::vector<AnyView>& whole, const std::vector<AnyView>& here) const;
  // Copies what the rank owns of the results to fields of the whole mesh.
  void store(const std::vector<AnyView>& here, const std::vector<AnyView>& whole) const;

 private:
  const MeshFieldFacts& facts(int field) const { return facts_.fields[std::size_t(field)]; }
  EntityValues values_of(const AnyView&, int entities, int components) const;

  MeshKernelFacts facts_;
  Precision precision_;
  VectorLayout vectors_;
  std::shared_ptr<const MeshPart> part_;
  KernelReach reach_;
  std::vector<int> whole_counts_;  // of each field, its entities in the whole mesh
};

}  // namespace cfdmark
