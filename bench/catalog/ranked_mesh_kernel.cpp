#include "bench/catalog/ranked_mesh_kernel.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace cfdmark {
namespace {

// Returns why a mesh cannot be parted so; empty if it can.
std::string partition_refusal(const MeshRef& mesh, const RankSetup& setup) {
  try {
    const std::string reason = not_built_reason(mesh_cut_from(setup.partition));
    if (!reason.empty()) return reason;
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  if (setup.count <= mesh.cells()) return "";
  return fmt::format("a mesh of {} cells cannot be cut into {} parts", mesh.cells(), setup.count);
}

RankFacts partition_facts(const MeshPartition& partition, const RankSetup& setup) {
  RankFacts facts;
  facts.setup = setup;
  facts.imbalance = partition.imbalance();
  for (int part = 0; part < partition.parts(); ++part) facts.cells.push_back(partition.cells_of(part));
  return facts;
}

}  // namespace

Row mesh_row_on_ranks(Row row, const RankSetup& setup) {
  row.on_ranks = nullptr;
  row.preferred = nullptr;
  row.space = TuningSpace{
      {choice_setting("overlap", {"none", "inner_first"}, "none",
                      "a step exchanges values and then computes, or computes what needs none meanwhile")}};
  row.unsupported = [setup, of_one = row.unsupported](const Domain& domain, const Config& workload) {
    const std::string reason = of_one(domain, workload);
    return reason.empty() ? partition_refusal(domain.mesh(), setup) : reason;
  };
  // The parts have the memory of one rank, and the fields of the whole mesh are kept too.
  row.field_bytes = [of_one = row.field_bytes](const Domain& domain, const Config& workload) {
    return 2 * of_one(domain, workload);
  };
  row.host_bytes = [of_one = row.host_bytes](const Domain& domain, const Config& workload) {
    return mesh_bytes(domain.mesh()) + of_one(domain, workload);
  };
  return row;
}

RankedMeshWorkload::RankedMeshWorkload(Backend& on, const RankSetup& setup,
                                       std::shared_ptr<const MeshPartition> partition,
                                       std::shared_ptr<const MadeMesh> mesh, const MeshCost& cost,
                                       std::shared_ptr<KernelFields> fields, const MakePart& make,
                                       Precision p)
    : RankedFieldsWorkload(on, partition_facts(*partition, setup), cost.compulsory, std::move(fields), make,
                           [p](KernelFields& of, const std::string& method) {
                             return of.check(0, method, ProblemShape{p, {}});
                           }),
      partition_(std::move(partition)),
      mesh_(std::move(mesh)),
      cost_(cost) {}

nlohmann::json RankedMeshWorkload::mesh_facts() const {
  nlohmann::json facts = cfdmark::mesh_facts(*mesh_);
  facts["requested_bytes"] = cost_.requested;
  return facts;
}

nlohmann::json RankedMeshWorkload::rank_facts() const {
  nlohmann::json facts = RankedFieldsWorkload::rank_facts();
  facts["partition"].erase("parts");  // along axes, which a mesh has not
  facts["partition"]["cut_faces"] = partition_->cut_faces();
  return facts;
}

}  // namespace cfdmark
