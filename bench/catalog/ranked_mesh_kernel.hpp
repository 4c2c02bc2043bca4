// Kernels on meshes on ranks: each rank runs the plain method on its part of the mesh, on a core or on a CUDA
// device of its own.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "bench/case/row.hpp"
#include "bench/catalog/mesh_problem.hpp"
#include "bench/catalog/ranked_workload.hpp"
#include "kernels/cells/indexed/ranks/mesh_device_part.hpp"
#include "kernels/cells/indexed/ranks/mesh_kernel_part.hpp"
#include "solvers/linear/device_parts.hpp"

namespace cfdmark {

// Returns the row of a kernel on a mesh on ranks, without its `prepare`.
Row mesh_row_on_ranks(Row, const RankSetup&);

// A kernel on the parts of a mesh. A step exchanges what the kernel reads of other ranks; its results are
// those of one rank.
class RankedMeshWorkload final : public RankedFieldsWorkload {
 public:
  // `fields`: those of the whole mesh. Throws std::invalid_argument, with both numbers, if there are fewer
  // CUDA devices than ranks.
  template <class K>
  static std::unique_ptr<Workload> prepared(Backend& on, const MeshKernelDescription<MeshArgs<K>>& kernel,
                                            const RankSetup& setup, std::shared_ptr<const MadeMesh> mesh,
                                            const MeshShape& shape, const Config& config,
                                            const std::shared_ptr<KernelFields>& fields) {
    require_rank_devices(on, setup.count);
    DeviceMesh lists(on, shape.mesh);
    const MeshCost cost = kernel.cost(kernel.bind(shape, fields->views(), lists), "plain", config);
    const auto partition = std::make_shared<const MeshPartition>(
        MeshPartition::of(*shape.mesh, setup.count, mesh_cut_from(setup.partition)));
    MakePart make;
    if (on.kind() == BackendKind::cuda)
      make = device_parts(on, kernel, shape, partition, config, fields);
    else
      make = host_parts(kernel, shape, partition, overlap_from(config.choice("overlap")));
    return std::unique_ptr<Workload>(
        new RankedMeshWorkload(on, setup, partition, std::move(mesh), cost, fields, make, shape.precision));
  }

  nlohmann::json mesh_facts() const override;
  nlohmann::json rank_facts() const override;

 private:
  using Parts = std::shared_ptr<const MeshPartition>;

  class HostPart final : public FieldsPart {
   public:
    explicit HostPart(MeshKernelPart part) : part_(std::move(part)) {}
    void load(const std::vector<AnyView>& whole) override { part_.load(whole); }
    void store(const std::vector<AnyView>& whole) const override { part_.store(whole); }
    void run() override { part_.run(); }

   private:
    MeshKernelPart part_;
  };

  // A part on the device of its rank; the fields of the whole mesh are on the device of rank 0.
  class DevicePart final : public FieldsPart {
   public:
    using Make = std::function<std::unique_ptr<MeshDevicePart>(Backend& of_rank, const DeviceLinks&)>;

    DevicePart(Ranks&, Backend& of_whole, PeerWay, std::shared_ptr<const KernelFields>, const Make&);
    // Loads the initial fields, which are in memory of the host too.
    void load(const std::vector<AnyView>& whole) override;
    void store(const std::vector<AnyView>& whole) const override;
    void run() override { part_->run(); }
    Resources resources() const override { return part_->resources(); }

   private:
    Backend& of_whole_;
    RankBackend on_;
    DeviceLinks links_;
    std::shared_ptr<const KernelFields> fields_;
    std::unique_ptr<MeshDevicePart> part_;
  };

  template <class K>
  static MakePart host_parts(const MeshKernelDescription<MeshArgs<K>>& kernel, const MeshShape& shape,
                             const Parts& parts, Overlap overlap) {
    return [=](Ranks& ranks) {
      return std::make_unique<HostPart>(MeshKernelPart(ranks, kernel, shape, *parts, overlap));
    };
  }
  template <class K>
  static MakePart device_parts(Backend& on, const MeshKernelDescription<MeshArgs<K>>& kernel,
                               const MeshShape& shape, const Parts& parts, const Config& config,
                               const std::shared_ptr<const KernelFields>& fields) {
    const Methods<MeshArgs<K>> methods = kernel.methods(on.kind());
    return [=, &on, plain = find_method(methods, "plain")](Ranks& ranks) {
      return std::make_unique<DevicePart>(ranks, on, peer_way_of(config), fields,
                                          [&](Backend& of_rank, const DeviceLinks& links) {
                                            return std::make_unique<MeshDevicePart>(
                                                ranks, of_rank, links, kernel, plain, config, shape, *parts);
                                          });
    };
  }

  RankedMeshWorkload(Backend&, const RankSetup&, std::shared_ptr<const MeshPartition>,
                     std::shared_ptr<const MadeMesh>, const MeshCost&, std::shared_ptr<KernelFields>,
                     const MakePart&, Precision);

  std::shared_ptr<const MeshPartition> partition_;
  std::shared_ptr<const MadeMesh> mesh_;
  MeshCost cost_;
};

}  // namespace cfdmark
