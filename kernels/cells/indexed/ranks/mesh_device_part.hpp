// A kernel on the part of a mesh that a rank with a CUDA device has.
#pragma once

#include <memory>
#include <vector>

#include "kernels/cells/indexed/ranks/mesh_kernel_cut.hpp"
#include "kernels/ranks/device_entities.hpp"

namespace cfdmark {

// The fields of a kernel on the part of a rank, in the memory of its device, and a step: it exchanges the
// ghosts that the kernel reads, then runs a method on the part. The method also computes entities of other
// ranks, from too few neighbours; nothing reads them. What the rank owns has the bits of the whole mesh on
// one device if the method adds in the order of lists, as `plain` does.
class MeshDevicePart {
 public:
  // Collective. Part r of the partition is that of rank r, the mesh of the shape the whole one. The backend
  // is the rank's device, which the links join with those of the other ranks.
  template <class K>
  MeshDevicePart(Ranks& ranks, Backend& of_rank, const DeviceLinks& links,
                 const MeshKernelDescription<MeshArgs<K>>& kernel, const Method<MeshArgs<K>>& method,
                 const Config& config, const MeshShape& whole, const MeshPartition& partition)
      : MeshDevicePart(ranks, of_rank, links, mesh_kernel_facts<K>(whole.mesh->dims), whole, partition) {
    step_ = in_turn(std::move(step_),
                    method.prepare(of_rank, kernel.bind(cut_.shape(), views(), *lists_), config));
  }

  // Sets the fields from those of the whole mesh in memory of the host, by MeshKernelCut::load().
  void load(const std::vector<AnyView>& whole);
  // Submits a step to the device, with its exchanges.
  void run() const { step_.run(); }
  // Waits for the device and copies what the rank owns of the results to fields of the whole mesh in memory
  // of the host.
  void store(const std::vector<AnyView>& whole) const;

  const Resources& resources() const { return step_.resources; }

 private:
  MeshDevicePart(Ranks&, Backend& of_rank, const DeviceLinks&, MeshKernelFacts, const MeshShape& whole,
                 const MeshPartition&);
  std::vector<AnyView> views() const;

  MeshKernelCut cut_;
  std::unique_ptr<DeviceMesh> lists_;
  std::vector<Field> fields_;
  std::vector<HostField> on_host_;  // the same fields, for load()
  Step step_;
};

}  // namespace cfdmark
