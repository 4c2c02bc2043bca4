// A kernel on the part of a mesh that a rank of a host has.
#pragma once

#include <memory>
#include <vector>

#include "kernels/cells/indexed/ranks/mesh_kernel_cut.hpp"
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
      : MeshKernelPart(ranks, mesh_kernel_facts<K>(whole.mesh->dims), whole, partition, overlap) {
    range_ = plain_range<K>(kernel.bind(cut_.shape(), views(), *lists_));
  }

  // MeshKernelCut::load() and store() of the part's fields.
  void load(const std::vector<AnyView>& whole) { cut_.load(whole, views()); }
  void store(const std::vector<AnyView>& whole) const { cut_.store(views(), whole); }
  // Performs a step, with its exchanges.
  void run();

  const MeshPart& part() const { return cut_.part(); }
  const KernelReach& reach() const { return cut_.reach(); }

 private:
  MeshKernelPart(Ranks&, MeshKernelFacts, const MeshShape& whole, const MeshPartition&, Overlap);
  std::vector<AnyView> views() const;
  void compute(const std::vector<EntityRun>& runs) const {
    for (const EntityRun& run : runs) range_(run.first, run.end);
  }

  MeshKernelCut cut_;
  Overlap overlap_;
  std::vector<EntityRun> owned_;
  std::unique_ptr<Backend> queue_;
  std::unique_ptr<DeviceMesh> lists_;
  std::vector<Field> fields_;
  std::vector<std::unique_ptr<EntityExchange>> exchanges_;
  ResultRange range_;
};

}  // namespace cfdmark
