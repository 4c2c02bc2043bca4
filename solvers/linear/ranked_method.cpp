#include "solvers/linear/ranked_method.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "kernels/device/backends/counting.hpp"
#include "kernels/ranks/box_copy.hpp"
#include "kernels/ranks/thread_ranks.hpp"
#include "kernels/ranks/timed_ranks.hpp"
#include "solvers/linear/system/rank_communicator.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {
namespace {

// One rank's part of a system, in memory of its own.
class SystemPart {
 public:
  SystemPart(Ranks& ranks, const Partition& partition, const System& whole, const MakeCommunicator& make)
      : whole_(whole),
        box_(partition.part(ranks.rank()).own),
        queue_(new_queue(whole.backend->id())),
        owned_(*queue_, whole.precision, partition.local(ranks.rank(), whole.grid().halo), whole.stencil(),
               nullptr, whole.sides),
        ranks_(ranks),
        communicator_(make(ranks_, partition)),
        system_(owned_.system()) {
    system_.ranks = communicator_.get();
  }

  void prepare(const SolverMethod& method, const Config& config) {
    iteration_ = method.prepare(system_, config);
  }
  Iteration& iteration() const { return *iteration_; }
  const CellBox& box() const { return box_; }

  // Calls f with the iteration, and adds its time to that of the solve.
  template <class F>
  decltype(auto) timed(const F& f) {
    struct Adding {
      double& sum;
      std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
      ~Adding() { sum += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); }
    } adding{busy_};
    return f(*iteration_);
  }
  void begin_solve() {
    busy_ = 0;
    ranks_.reset();
  }
  const Communicated& communicated() const { return ranks_.communicated(); }
  RankSeconds seconds() const { return {busy_, communicated().exchange_seconds, communicated().sum_seconds}; }

  // Copies operator, right-hand side and unknowns of the whole system, with the ghosts around them.
  void load() const {
    const auto arrays = arrays_of(whole_.stencil(), whole_.grid());
    const auto own_arrays = arrays_of(system_.stencil(), system_.grid());
    for (std::size_t n = 0; n < arrays.size(); ++n) take(arrays[n], own_arrays[n]);
    take(whole_.b, system_.b);
    take(whole_.u, system_.u);
  }
  // Copies the unknowns to the whole system.
  void store() const { copy_box(system_.u, at_origin(), whole_.u, box_, 0); }

 private:
  CellBox at_origin() const { return {0, 0, 0, box_.nx, box_.ny, box_.nz}; }
  void take(const AnyView& from, const AnyView& to) const {
    copy_box(from, box_, to, at_origin(), from.grid.halo);
  }

  System whole_;
  CellBox box_;
  std::unique_ptr<Backend> queue_;
  OwnedSystem owned_;
  TimedRanks ranks_;
  double busy_ = 0;  // seconds of the present solve
  std::unique_ptr<const Communicator> communicator_;
  System system_;
  std::unique_ptr<Iteration> iteration_;
};

// Runs an iteration on each rank. All have the same residuals, so that any may answer for all.
class RankedIteration final : public Iteration {
 public:
  RankedIteration(const System& whole, const SolverMethod& method, const Config& config, int ranks,
                  const PartShape& shape, const MakeCommunicator& make, RankAccess* access)
      : copies_(!access || !access->copies_outside),
        partition_(Partition::of(whole.grid(), ranks, shape, 1, whole.sides.periodic)),
        parts_(static_cast<std::size_t>(ranks)),
        team_(ranks) {
    team_.run([&](Ranks& all) {
      std::unique_ptr<SystemPart>& part = parts_[std::size_t(all.rank())];
      part = std::make_unique<SystemPart>(all, partition_, whole, make);
      part->prepare(method, config);
    });
    if (!access) return;
    access->load = [this] { on_parts([](const SystemPart& part) { part.load(); }); };
    access->store = [this] { on_parts([](const SystemPart& part) { part.store(); }); };
    access->facts = [this] { return facts(); };
  }

  void start() override {
    on_parts([this](SystemPart& part) {
      part.begin_solve();
      if (copies_) part.load();
      part.timed([](Iteration& one) { one.start(); });
    });
  }
  int advance(int most, double reduction) override {
    return first_of<int>([&](Iteration& one) { return one.advance(most, reduction); });
  }
  std::vector<NamedValue> residuals() override {
    return first_of<std::vector<NamedValue>>([](Iteration& one) { return one.residuals(); });
  }
  std::vector<NamedValue> results() override {
    return first_of<std::vector<NamedValue>>([](Iteration& one) { return one.results(); });
  }
  void store() override {
    on_parts([this](const SystemPart& part) {
      part.iteration().store();
      if (copies_) part.store();
    });
  }
  void finish() override {
    on_parts([this](SystemPart& part) {
      part.timed([](Iteration& one) { one.finish(); });
      if (copies_) part.store();
    });
  }

  double highest_residual() const override { return first().highest_residual(); }
  int period() const override { return first().period(); }
  int longest_interval() const override { return first().longest_interval(); }
  bool residuals_are_shares() const override { return first().residuals_are_shares(); }
  bool has_stalled() const override { return first().has_stalled(); }
  int final_iteration() const override { return first().final_iteration(); }

  Cost cost(int iterations) const override {
    return of_all([&](const Iteration& one) { return one.cost(iterations); });
  }
  Cost check_cost() const override {
    return of_all([](const Iteration& one) { return one.check_cost(); });
  }
  Resources resources() const override {
    Resources resources = first().resources();
    resources.threads = partition_.ranks();
    return resources;
  }

 private:
  Iteration& first() const { return parts_.front()->iteration(); }

  template <class F>
  void on_parts(const F& f) {
    team_.run([&](Ranks& all) { f(*parts_[std::size_t(all.rank())]); });
  }
  // Calls f on every rank and returns the value of the first.
  template <class Value, class F>
  Value first_of(const F& f) {
    Value of_first = {};
    team_.run([&](Ranks& all) {
      Value value = parts_[std::size_t(all.rank())]->timed(f);
      if (all.rank() == 0) of_first = std::move(value);
    });
    return of_first;
  }
  template <class F>
  Cost of_all(const F& f) const {
    Cost sum;
    for (const auto& part : parts_) sum = sum + f(part->iteration());
    return sum;
  }

  RankFacts facts() const {
    RankFacts facts;
    facts.joined_by = "threads";
    facts.setup.count = partition_.ranks();
    facts.parts = partition_.counts();
    facts.imbalance = partition_.imbalance();
    facts.copies_timed = copies_;
    for (const auto& part : parts_) {
      facts.cells.push_back(double(part->box().cells()));
      facts.of_a_solve.push_back(part->seconds());
      const Communicated& sent = part->communicated();
      facts.messages += sent.messages;
      facts.exchange_bytes += sent.exchange_bytes;
      facts.largest_message = std::max(facts.largest_message, sent.largest_message);
      facts.sums = sent.sums;  // the same on all
      facts.sum_bytes += sent.sum_bytes;
    }
    return facts;
  }

  bool copies_;  // true: a solve copies the system to the parts and the unknowns back
  Partition partition_;
  std::vector<std::unique_ptr<SystemPart>> parts_;
  RankTeam team_;  // ends before the parts
};

std::unique_ptr<const Communicator> rank_communicator(Ranks& ranks, const Partition& partition) {
  return std::make_unique<const RankCommunicator>(ranks, partition);
}

}  // namespace

SolverMethod on_ranks(const SolverMethod& method, int ranks, const PartShape& shape,
                      const MakeCommunicator& communicator, const std::shared_ptr<RankAccess>& access) {
  SolverMethod ranked = method;
  const MakeCommunicator make = communicator ? communicator : rank_communicator;
  ranked.preferred = nullptr;
  ranked.unsupported = [method](SystemShape of) {
    of.over_ranks = true;
    return method.why_unsupported(of);
  };
  // The parts together have the memory of the whole system, but for their ghosts.
  ranked.prepare = [=](const System& system, const Config& config) -> std::unique_ptr<Iteration> {
    if (only_counts(*system.backend)) return method.prepare(system, config);
    if (system.backend->kind() != BackendKind::serial)
      throw std::invalid_argument("ranks of one process are on the serial backend; use --backend serial");
    return std::make_unique<RankedIteration>(system, method, config, ranks, shape, make, access.get());
  };
  return ranked;
}

std::unique_ptr<RankedSolve> ranked_solve(const SolverDescription& solver, const SolverMethod& method,
                                          const RankSetup& setup, Backend& backend, Precision precision,
                                          const Config& config, std::shared_ptr<const LinearProblem> problem,
                                          const LevelConfigs& levels) {
  const auto access = std::make_shared<RankAccess>();
  access->copies_outside = precision != Precision::mixed && !is_singular(*problem->description);
  const SolverMethod ranked =
      on_ranks(method, setup.count, PartShape::from(setup.partition), nullptr, access);
  auto whole = std::make_unique<PreparedSolver>(solver, ranked, backend, precision, config,
                                                std::move(problem), levels);
  return std::make_unique<RankedSolve>(std::move(whole), access, setup);
}

}  // namespace cfdmark
