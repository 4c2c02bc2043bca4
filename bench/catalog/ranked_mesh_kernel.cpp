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

// Returns the first byte of a field in the memory of a backend, with the values before its first one.
char* first_byte(const AnyView& view) {
  return static_cast<char*>(view.origin) - Layout(view.grid).lead * Index(stored_bytes(view.storage));
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
  if (row.backend == BackendKind::cuda)
    row.space.settings.push_back(exchange_setting(setup));
  else
    row.space = TuningSpace{
        {choice_setting("overlap", {"none", "inner_first"}, "none",
                        "a step exchanges values and then computes, or computes what needs none meanwhile")}};
  row.unsupported = [setup, of_one = row.unsupported](const Domain& domain,
                                                      const Config& workload) -> std::string {
    if (setup.processes) return "kernels on meshes run on ranks that are threads; remove join=mpi";
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

RankedMeshWorkload::DevicePart::DevicePart(Ranks& ranks, Backend& of_whole, PeerWay way,
                                           std::shared_ptr<const KernelFields> fields, const Make& make)
    : of_whole_(of_whole),
      on_(of_whole, ranks.rank()),
      links_(ranks, *on_, way),
      fields_(std::move(fields)),
      part_(make(*on_, links_)) {}

void RankedMeshWorkload::DevicePart::load(const std::vector<AnyView>&) {
  std::vector<AnyView> whole;
  for (const auto& entry : fields_->start().fields) whole.push_back(entry.initial.view());
  part_->load(whole);
}

void RankedMeshWorkload::DevicePart::store(const std::vector<AnyView>& whole) const {
  std::vector<AnyView> on_host;
  std::vector<HostField> written;
  for (std::size_t n = 0; n < whole.size(); ++n) {
    const auto& entry = fields_->start().fields[n];
    on_host.push_back(entry.initial.view());
    if (!entry.is_written) continue;
    written.push_back(HostField::unset(whole[n].grid, whole[n].storage));
    of_whole_.download(written.back().data(), first_byte(whole[n]), written.back().bytes());
    on_host.back() = written.back().view();
  }
  part_->store(on_host);
  auto field = written.begin();
  for (std::size_t n = 0; n < whole.size(); ++n)
    if (fields_->start().fields[n].is_written) {
      of_whole_.upload(first_byte(whole[n]), field->data(), field->bytes());
      ++field;
    }
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
