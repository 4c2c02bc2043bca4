#include "solvers/linear/ranked_method.hpp"

#include <stdexcept>
#include <utility>

#include "kernels/device/backends/counting.hpp"
#include "kernels/ranks/process_rank.hpp"
#include "solvers/linear/device_parts.hpp"

namespace cfdmark {
namespace {

// One rank's part of a linear system.
class SystemPart final : public SolvePart {
 public:
  SystemPart(Ranks& ranks, const Partition& partition, const System& whole, const MakeCommunicator& make,
             const SolverMethod& method, const Config& config)
      : whole_(whole),
        partition_(partition),
        box_(partition.part(ranks.rank()).own),
        on_(*whole.backend, ranks.rank()),
        owned_(*on_, whole.precision, partition.local(ranks.rank(), whole.grid().halo), whole.stencil(),
               nullptr, whole.sides),
        communicator_(communicator_of(ranks, partition_, *on_, make, config)),
        system_(owned_.system()) {
    system_.ranks = communicator_.get();
    iteration_ = method.prepare(system_, config);
  }

  Iteration& iteration() const override { return *iteration_; }
  // Copies operator, right-hand side and unknowns, with the ghosts around them.
  void load() override {
    const auto arrays = arrays_of(whole_.stencil(), whole_.grid());
    const auto own_arrays = arrays_of(system_.stencil(), system_.grid());
    std::vector<GhostCopy> copies;
    for (std::size_t n = 0; n < arrays.size(); ++n)
      copies.push_back(part_copy(arrays[n], box_, own_arrays[n]));
    copies.push_back(part_copy(whole_.b, box_, system_.b));
    copies.push_back(part_copy(whole_.u, box_, system_.u));
    whole_.backend->fence();
    run_copies(*on_, copies);
  }
  const Partition& partition() const override { return partition_; }
  void store() override { run_copies(*on_, {part_copy_back(system_.u, box_, whole_.u)}); }
  void share(Ranks& ranks) override { share_parts(ranks, partition_, *whole_.backend, whole_.u); }

 private:
  System whole_;
  Partition partition_;
  CellBox box_;
  RankBackend on_;
  OwnedSystem owned_;
  std::unique_ptr<const Communicator> communicator_;
  System system_;
  std::unique_ptr<Iteration> iteration_;
};

// Returns the iteration of a method on a system in parts.
std::unique_ptr<Iteration> ranked(const System& system, const SolverMethod& method, const Config& config,
                                  const RankGroup& group, const PartShape& shape,
                                  const MakeCommunicator& make, RankAccess* access) {
  const int align = method.rank_alignment ? method.rank_alignment(system.grid(), group.count, config)
                                          : rank_alignment_of(system.backend->kind(), system.grid());
  const Partition parts = aligned_parts(system.grid(), group.count, shape, align, system.sides.periodic);
  return std::make_unique<RankedIteration>(
      group,
      [&](Ranks& ranks) { return std::make_unique<SystemPart>(ranks, parts, system, make, method, config); },
      access);
}

// Returns the method on ranks with all but its preparation.
SolverMethod over_ranks(const SolverMethod& method) {
  SolverMethod ranked = method;
  ranked.preferred = nullptr;
  for (const Setting& setting : method.rank_settings) ranked.space.settings.push_back(setting);
  ranked.unsupported = [method](SystemShape of) {
    of.over_ranks = true;
    return method.why_unsupported(of);
  };
  return ranked;
}

}  // namespace

SolverMethod on_ranks(const SolverMethod& method, int ranks, const PartShape& shape,
                      const MakeCommunicator& communicator, const std::shared_ptr<RankAccess>& access) {
  SolverMethod made = over_ranks(method);
  // The parts together have the memory of the whole system, but for their ghosts.
  made.prepare = [=](const System& system, const Config& config) -> std::unique_ptr<Iteration> {
    if (!holds_values(*system.backend)) return method.prepare(system, config);
    require_rank_devices(*system.backend, ranks);
    return ranked(system, method, config, thread_group(ranks), shape, communicator, access.get());
  };
  return made;
}

SolverMethod on_ranks(const SolverMethod& method, Ranks& ranks, const PartShape& shape,
                      const std::shared_ptr<RankAccess>& access) {
  SolverMethod made = over_ranks(method);
  made.prepare = [=, &ranks](const System& system, const Config& config) -> std::unique_ptr<Iteration> {
    if (only_counts(*system.backend)) return method.prepare(system, config);
    return ranked(system, method, config, process_group(ranks), shape, nullptr, access.get());
  };
  return made;
}

SolverMethod on_ranks(const SolverMethod& method, const RankSetup& setup,
                      const std::shared_ptr<RankAccess>& access) {
  const PartShape shape = PartShape::from(setup.partition);
  return process_rank() ? on_ranks(method, *process_rank(), shape, access)
                        : on_ranks(method, setup.count, shape, nullptr, access);
}

std::unique_ptr<RankedSolve> ranked_solve(const SolverDescription& solver, const SolverMethod& method,
                                          const RankSetup& setup, Backend& backend, Precision precision,
                                          const Config& config, std::shared_ptr<const LinearProblem> problem,
                                          const LevelConfigs& levels) {
  const auto access = std::make_shared<RankAccess>();
  access->copies_outside = precision != Precision::mixed && !is_singular(*problem->description);
  const SolverMethod made = on_ranks(method, setup, access);
  auto whole =
      std::make_unique<PreparedSolver>(solver, made, backend, precision, config, std::move(problem), levels);
  return std::make_unique<RankedSolve>(std::move(whole), access, setup);
}

}  // namespace cfdmark
