#include "solvers/flow/ranked_flow.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "kernels/device/backends/counting.hpp"
#include "kernels/ranks/process_rank.hpp"
#include "solvers/flow/periodic_ghosts.hpp"
#include "solvers/linear/device_parts.hpp"
#include "solvers/linear/system/rank_levels.hpp"

namespace cfdmark {
namespace {

// Face kinds of the whole domain, for parts that need them (FlowSystem::take_domain_faces).
using SharedFaces = std::shared_ptr<HostField>;

// One rank's part of a flow.
class FlowPart final : public SolvePart {
 public:
  FlowPart(Ranks& ranks, const Partition& partition, FlowSystem& whole, const MakeCommunicator& make,
           const FlowMethod& method, const Config& config, SharedFaces faces)
      : whole_(whole),
        partition_(partition),
        box_(partition.part(ranks.rank()).own),
        on_(whole.backend, ranks.rank()),
        communicator_(communicator_of(ranks, partition_, *on_, make, config)),
        flow_(*on_, whole.precision, partition.local(ranks.rank(), whole.grid().halo), whole.domain, nullptr,
              method.arrangement, communicator_.get()),
        iteration_(method.prepare(flow_, config)),
        faces_(std::move(faces)) {}

  Iteration& iteration() const override { return *iteration_; }
  const Partition& partition() const override { return partition_; }
  const FlowSystem& flow() const { return flow_; }
  void load() override {
    const std::vector<Field*> from = whole_.uploaded_fields(), to = flow_.uploaded_fields();
    std::vector<GhostCopy> copies;
    for (std::size_t n = 0; n < from.size(); ++n)
      copies.push_back(part_copy(from[n]->view(), box_, to[n]->view()));
    whole_.backend.fence();
    run_copies(*on_, copies);
    if (const auto take = std::exchange(flow_.take_domain_faces, nullptr)) take(*faces_);
  }
  void store() override {
    const std::vector<Field*> from = flow_.answer_fields(), to = whole_.answer_fields();
    std::vector<GhostCopy> copies;
    for (std::size_t n = 0; n < from.size(); ++n)
      copies.push_back(part_copy_back(from[n]->view(), box_, to[n]->view()));
    run_copies(*on_, copies);
  }
  void share(Ranks& ranks) override {
    for (const Field* field : whole_.answer_fields())
      share_parts(ranks, partition_, whole_.backend, field->view());
  }

 private:
  FlowSystem& whole_;
  Partition partition_;
  CellBox box_;
  RankBackend on_;
  std::unique_ptr<const Communicator> communicator_;
  FlowSystem flow_;
  std::unique_ptr<Iteration> iteration_;
  SharedFaces faces_;
};

// Also fills the periodic ghosts of the whole answer, and passes on the time.
class RankedFlow final : public RankedIteration {
 public:
  RankedFlow(const RankGroup& group, FlowSystem& whole,
             const std::function<std::unique_ptr<SolvePart>(Ranks&)>& make_part, RankAccess* access,
             SharedFaces faces)
      : RankedIteration(group, make_part, access), whole_(whole), faces_(std::move(faces)) {
    std::vector<AnyView> answer;
    for (const Field* field : whole.answer_fields())
      if (field->view().grid.with_halo(1) == whole.grid().with_halo(1)) answer.push_back(field->view());
    ghosts_ = {whole.poisson_system(), whole.domain, answer, {}};
    pass_time();
    if (access)
      access->store = [this, store = access->store] {
        store();
        ghosts_();
      };
  }

  void start() override {
    if (part().take_domain_faces) *faces_ = whole_.faces.download();
    RankedIteration::start();
  }
  std::vector<NamedValue> residuals() override {
    std::vector<NamedValue> all = RankedIteration::residuals();
    pass_time();
    return all;
  }
  void store() override {
    RankedIteration::store();
    ghosts_();
  }
  void finish() override {
    RankedIteration::finish();
    ghosts_();
  }

 private:
  const FlowSystem& part() const { return static_cast<const FlowPart&>(first_part()).flow(); }
  void pass_time() { whole_.time_step = part().time_step, whole_.elapsed = part().elapsed; }

  FlowSystem& whole_;
  SharedFaces faces_;
  PeriodicGhosts ghosts_;
};

// Cuts suit the sums of the backend and the cycles of an inner multigrid.
int alignment(BackendKind kind, const Grid& grid, int ranks, const Config& config) {
  const int of_sums = rank_alignment_of(kind, grid);
  for (const char* name : {"pressure_solver", "pressure_method", "momentum_solver", "momentum_method"})
    if (config.has(name) && config.is(name, "multigrid"))
      return std::max(of_sums, multigrid_alignment(grid, ranks, config));
  return of_sums;
}

// Returns the iteration of a method on a flow in parts.
std::unique_ptr<Iteration> ranked(FlowSystem& flow, const FlowMethod& method, const Config& config,
                                  const RankGroup& group, const PartShape& shape,
                                  const MakeCommunicator& make, RankAccess* access) {
  const FlowDomain& domain = flow.domain;
  const int align = alignment(flow.backend.kind(), flow.grid(), group.count, config);
  const Partition parts = aligned_parts(flow.grid(), group.count, shape, align,
                                        {domain.periodic_x, domain.periodic_y, domain.periodic_z});
  const auto faces = std::make_shared<HostField>();
  const auto make_part = [&](Ranks& ranks) {
    return std::make_unique<FlowPart>(ranks, parts, flow, make, method, config, faces);
  };
  return std::make_unique<RankedFlow>(group, flow, make_part, access, faces);
}

FlowMethod over_ranks(FlowMethod method) {
  if (!find_setting(method.space.settings, gather_cells.name)) method.space.settings.push_back(gather_cells);
  method.space.settings.push_back(coarse_levels);
  return method;
}

}  // namespace

FlowMethod on_flow_ranks_of(BackendKind kind, FlowMethod method, const RankSetup& setup) {
  if (kind != BackendKind::cuda) return method;
  method.space.settings.push_back(gather_cells_on_devices());
  method.space.settings.push_back(exchange_setting(setup));
  without_graphs(method.space);
  return method;
}

FlowMethod on_flow_ranks(const FlowMethod& method, int ranks, const PartShape& shape,
                         const MakeCommunicator& communicator, const std::shared_ptr<RankAccess>& access) {
  FlowMethod made = over_ranks(method);
  made.prepare = [=](FlowSystem& flow, const Config& config) -> std::unique_ptr<Iteration> {
    if (!holds_values(flow.backend)) return method.prepare(flow, config);
    require_rank_devices(flow.backend, ranks);
    return ranked(flow, method, config, thread_group(ranks), shape, communicator, access.get());
  };
  return made;
}

FlowMethod on_flow_ranks(const FlowMethod& method, Ranks& ranks, const PartShape& shape,
                         const std::shared_ptr<RankAccess>& access) {
  FlowMethod made = over_ranks(method);
  made.prepare = [=, &ranks](FlowSystem& flow, const Config& config) -> std::unique_ptr<Iteration> {
    if (only_counts(flow.backend)) return method.prepare(flow, config);
    return ranked(flow, method, config, process_group(ranks), shape, nullptr, access.get());
  };
  return made;
}

FlowMethod on_flow_ranks(const FlowMethod& method, const RankSetup& setup,
                         const std::shared_ptr<RankAccess>& access) {
  const PartShape shape = PartShape::from(setup.partition);
  return process_rank() ? on_flow_ranks(method, *process_rank(), shape, access)
                        : on_flow_ranks(method, setup.count, shape, nullptr, access);
}

}  // namespace cfdmark
