// Kernels on meshes on ranks: each rank runs the plain serial method on its part of the mesh.
#pragma once

#include <memory>
#include <vector>

#include "bench/case/row.hpp"
#include "bench/catalog/mesh_problem.hpp"
#include "bench/catalog/ranked_workload.hpp"
#include "kernels/cells/indexed/ranks/mesh_kernel_part.hpp"

namespace cfdmark {

// Returns the row of a kernel on a mesh on ranks, without its `prepare`.
Row mesh_row_on_ranks(Row, const RankSetup&);

// A kernel on the parts of a mesh. A step exchanges what the kernel reads of other ranks; its results are
// those of one rank.
class RankedMeshWorkload final : public RankedFieldsWorkload {
 public:
  // `fields`: those of the whole mesh.
  template <class K>
  static std::unique_ptr<Workload> prepared(Backend& on, const MeshKernelDescription<MeshArgs<K>>& kernel,
                                            const RankSetup& setup, std::shared_ptr<const MadeMesh> mesh,
                                            const MeshShape& shape, const Config& config,
                                            const std::shared_ptr<KernelFields>& fields) {
    DeviceMesh lists(on, shape.mesh);
    const MeshCost cost = kernel.cost(kernel.bind(shape, fields->views(), lists), "plain", {});
    const auto partition = std::make_shared<const MeshPartition>(
        MeshPartition::of(*shape.mesh, setup.count, mesh_cut_from(setup.partition)));
    const Overlap overlap = overlap_from(config.choice("overlap"));
    const auto make = [&](Ranks& ranks) {
      return std::make_unique<Part>(MeshKernelPart(ranks, kernel, shape, *partition, overlap));
    };
    return std::unique_ptr<Workload>(
        new RankedMeshWorkload(on, setup, partition, std::move(mesh), cost, fields, make, shape.precision));
  }

  nlohmann::json mesh_facts() const override;
  nlohmann::json rank_facts() const override;

 private:
  class Part final : public FieldsPart {
   public:
    explicit Part(MeshKernelPart part) : part_(std::move(part)) {}
    void load(const std::vector<AnyView>& whole) override { part_.load(whole); }
    void store(const std::vector<AnyView>& whole) const override { part_.store(whole); }
    void run() override { part_.run(); }

   private:
    MeshKernelPart part_;
  };

  RankedMeshWorkload(Backend&, const RankSetup&, std::shared_ptr<const MeshPartition>,
                     std::shared_ptr<const MadeMesh>, const MeshCost&, std::shared_ptr<KernelFields>,
                     const MakePart&, Precision);

  std::shared_ptr<const MeshPartition> partition_;
  std::shared_ptr<const MadeMesh> mesh_;
  MeshCost cost_;
};

}  // namespace cfdmark
