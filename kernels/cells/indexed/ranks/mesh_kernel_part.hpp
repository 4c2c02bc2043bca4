// A kernel on the part of a mesh that a rank has.
#pragma once

#include <memory>
#include <vector>

#include "kernels/cells/indexed/mesh_kernel.hpp"
#include "kernels/cells/indexed/ranks/kernel_reach.hpp"
#include "kernels/cells/indexed/ranks/plain_range.hpp"
#include "kernels/ranks/entity_exchange.hpp"
#include "kernels/ranks/overlap_order.hpp"

namespace cfdmark {

// The fields of a kernel on the part of a rank, in the memory of the rank's queue, and its plain step on what
// the rank owns. Its results are those of the whole mesh on one rank, bit by bit.
class MeshKernelPart {
 public:
  // Collective. Part r of the partition is that of rank r, the mesh of the shape the whole one.
  template <class K>
  MeshKernelPart(Ranks& ranks, const MeshKernelDescription<MeshArgs<K>>& kernel, const MeshShape& whole,
                 const MeshPartition& partition, Overlap overlap)
      : MeshKernelPart(ranks, {K::around, scatters<K>, mesh_field_facts<K>(whole.mesh->dims)}, whole,
                       partition, overlap) {
    std::vector<AnyView> views;
    for (const Field& field : fields_) views.push_back(field.view());
    range_ = plain_range<K>(kernel.bind({part_mesh(), whole.precision, whole.vectors}, views, *lists_));
  }

  // Copies from fields of the whole mesh what the rank owns, and constants of the mesh also at ghosts. Ghosts
  // that an exchange fills are set to NaN.
  void load(const std::vector<AnyView>& whole);
  // Performs a step, with its exchanges.
  void run();
  // Copies what the rank owns of the results to fields of the whole mesh.
  void store(const std::vector<AnyView>& whole) const;

  const MeshPart& part() const { return *part_; }
  const KernelReach& reach() const { return reach_; }

 private:
  struct Facts {
    Connection around;
    bool scatters;
    std::vector<MeshFieldFacts> fields;
  };

  MeshKernelPart(Ranks&, Facts, const MeshShape& whole, const MeshPartition&, Overlap);
  std::shared_ptr<const Mesh> part_mesh() const { return {part_, &part_->mesh()}; }
  // Returns true if other ranks change what this one reads of a field.
  bool is_exchanged(const MeshFieldFacts&) const;
  EntityValues values_of(const AnyView&, int entities, int components) const;
  void compute(const std::vector<EntityRun>& runs) const {
    for (const EntityRun& run : runs) range_(run.first, run.end);
  }

  Facts facts_;
  VectorLayout vectors_;
  Overlap overlap_;
  std::shared_ptr<const MeshPart> part_;
  KernelReach reach_;
  std::vector<EntityRun> owned_;
  std::unique_ptr<Backend> queue_;
  std::unique_ptr<DeviceMesh> lists_;
  std::vector<Field> fields_;
  std::vector<int> whole_counts_;  // of each field, its entities in the whole mesh
  std::vector<std::unique_ptr<EntityExchange>> exchanges_;
  ResultRange range_;
};

}  // namespace cfdmark
