#include "solvers/linear/ranked_method.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/device/backends/counting.hpp"
#include "kernels/ranks/thread_ranks.hpp"
#include "solvers/linear/system/rank_communicator.hpp"

namespace cfdmark {
namespace {

using RankWork = std::function<void(Ranks&)>;
using RunWork = std::function<void(const RankWork&)>;

// Copies a box of cells with `layers` layers around it from one field on the host to another.
void copy_box(const AnyView& from, const CellBox& at, const AnyView& to, const CellBox& there, int layers) {
  const Index value = Index(stored_bytes(to.storage));
  const int layers_z = to.grid.is_3d() ? layers : 0;
  const auto row = [&](const AnyView& field, const CellBox& box, int j, int k) {
    return static_cast<char*>(field.origin) +
           (box.i - layers + (box.j + j) * field.pitch + (box.k + k) * field.plane) * value;
  };
  for (int k = -layers_z; k < at.nz + layers_z; ++k)
    for (int j = -layers; j < at.ny + layers; ++j)
      std::memcpy(row(to, there, j, k), row(from, at, j, k), std::size_t((at.nx + 2 * layers) * value));
}

CellBox at_origin(const CellBox& box) { return {0, 0, 0, box.nx, box.ny, box.nz}; }

// Copies a box of cells between a field and contiguous memory.
void copy_cells(const AnyView& field, const CellBox& box, char* cells, bool to_field) {
  const std::size_t value = stored_bytes(field.storage), row = std::size_t(box.nx) * value;
  for (int k = box.k; k < box.k + box.nz; ++k)
    for (int j = box.j; j < box.j + box.ny; ++j, cells += row) {
      char* const of_field =
          static_cast<char*>(field.origin) + (box.i + j * field.pitch + k * field.plane) * Index(value);
      to_field ? std::memcpy(of_field, cells, row) : std::memcpy(cells, of_field, row);
    }
}

// Fills a field of the whole domain with the cells that each process has stored in its own copy.
void share_cells(Ranks& ranks, const Partition& partition, const AnyView& field) {
  Index most = 0;
  for (int r = 0; r < ranks.count(); ++r) most = std::max(most, partition.part(r).own.cells());
  const std::size_t bytes = std::size_t(most) * stored_bytes(field.storage);
  std::vector<char> mine(bytes), all(bytes * std::size_t(ranks.count()));
  copy_cells(field, partition.part(ranks.rank()).own, mine.data(), false);
  ranks.gather("unknowns", mine.data(), bytes, all.data());
  for (int r = 0; r < ranks.count(); ++r)
    if (r != ranks.rank())
      copy_cells(field, partition.part(r).own, all.data() + std::size_t(r) * bytes, true);
}

// One rank's part of a system, in memory of its own.
class SystemPart {
 public:
  SystemPart(Ranks& ranks, const Partition& partition, const System& whole, const MakeCommunicator& make)
      : whole_(whole),
        box_(partition.part(ranks.rank()).own),
        queue_(new_queue(whole.backend->id())),
        owned_(*queue_, whole.precision, partition.local(ranks.rank(), whole.grid().halo), whole.stencil(),
               nullptr, whole.sides),
        communicator_(make(ranks, partition)),
        system_(owned_.system()) {
    system_.ranks = communicator_.get();
  }

  void prepare(const SolverMethod& method, const Config& config) {
    iteration_ = method.prepare(system_, config);
  }
  Iteration& iteration() const { return *iteration_; }

  // Copies operator, right-hand side and unknowns of the whole system, with the ghosts around them.
  void load() const {
    const auto arrays = arrays_of(whole_.stencil(), whole_.grid());
    const auto own_arrays = arrays_of(system_.stencil(), system_.grid());
    for (std::size_t n = 0; n < arrays.size(); ++n) take(arrays[n], own_arrays[n]);
    take(whole_.b, system_.b);
    take(whole_.u, system_.u);
  }
  // Copies the unknowns to the whole system.
  void store() const { copy_box(system_.u, at_origin(box_), whole_.u, box_, 0); }

 private:
  void take(const AnyView& from, const AnyView& to) const {
    copy_box(from, box_, to, at_origin(box_), from.grid.halo);
  }

  System whole_;
  CellBox box_;
  std::unique_ptr<Backend> queue_;
  OwnedSystem owned_;
  std::unique_ptr<const Communicator> communicator_;
  System system_;
  std::unique_ptr<Iteration> iteration_;
};

// Runs an iteration on each rank of this process. All ranks have the same residuals, so that any may answer
// for all. `run`: calls work on each rank of this process. `process`: its rank among processes, each of which
// has an iteration like this one; null if all ranks are of this process.
class RankedIteration final : public Iteration {
 public:
  RankedIteration(const System& whole, const SolverMethod& method, const Config& config, int ranks,
                  const PartShape& shape, const MakeCommunicator& make, RunWork run, Ranks* process)
      : u_(whole.u),
        process_(process),
        partition_(Partition::of(whole.grid(), ranks, shape, 1, whole.sides.periodic)),
        parts_(static_cast<std::size_t>(ranks)),
        run_(std::move(run)) {
    run_([&](Ranks& all) {
      std::unique_ptr<SystemPart>& part = parts_[std::size_t(all.rank())];
      part = std::make_unique<SystemPart>(all, partition_, whole, make);
      part->prepare(method, config);
    });
  }

  void start() override {
    on_parts([](const SystemPart& part) {
      part.load();
      part.iteration().start();
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
    on_parts([](const SystemPart& part) {
      part.iteration().store();
      part.store();
    });
    share();
  }
  void finish() override {
    on_parts([](const SystemPart& part) {
      part.iteration().finish();
      part.store();
    });
    share();
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
    resources.threads = partition_.ranks() * (process_ ? std::max(resources.threads, 1) : 1);
    return resources;
  }

 private:
  Iteration& first() const { return parts_[std::size_t(process_ ? process_->rank() : 0)]->iteration(); }
  void share() const {
    if (process_) share_cells(*process_, partition_, u_);
  }

  template <class F>
  void on_parts(const F& f) {
    run_([&](Ranks& all) { f(*parts_[std::size_t(all.rank())]); });
  }
  // Calls f on every rank and returns the value of the first of this process.
  template <class Value, class F>
  Value first_of(const F& f) {
    Value of_first = {};
    run_([&](Ranks& all) {
      Value value = f(parts_[std::size_t(all.rank())]->iteration());
      if (process_ || all.rank() == 0) of_first = std::move(value);
    });
    return of_first;
  }
  template <class F>
  Cost of_all(const F& f) const {
    std::vector<Cost> costs(parts_.size());
    for (std::size_t r = 0; r < parts_.size(); ++r)
      if (parts_[r]) costs[r] = f(parts_[r]->iteration());
    if (process_) {
      const Cost mine = costs[std::size_t(process_->rank())];
      process_->gather("cost", &mine, sizeof mine, costs.data());
    }
    Cost sum;
    for (const Cost& cost : costs) sum = sum + cost;
    return sum;
  }

  AnyView u_;  // of the whole system
  Ranks* process_;
  Partition partition_;
  std::vector<std::unique_ptr<SystemPart>> parts_;  // null: a rank of another process
  RunWork run_;                                     // ends before the parts, and its threads with it
};

std::unique_ptr<const Communicator> rank_communicator(Ranks& ranks, const Partition& partition) {
  return std::make_unique<const RankCommunicator>(ranks, partition);
}

// Returns the method with all but its preparation.
SolverMethod over_ranks(const SolverMethod& method) {
  SolverMethod ranked = method;
  ranked.preferred = nullptr;
  ranked.unsupported = [method](SystemShape of) {
    of.over_ranks = true;
    return method.why_unsupported(of);
  };
  return ranked;
}

}  // namespace

SolverMethod on_ranks(const SolverMethod& method, int ranks, const PartShape& shape,
                      const MakeCommunicator& communicator) {
  SolverMethod ranked = over_ranks(method);
  const MakeCommunicator make = communicator ? communicator : rank_communicator;
  // The parts together have the memory of the whole system, but for their ghosts.
  ranked.prepare = [=](const System& system, const Config& config) -> std::unique_ptr<Iteration> {
    if (only_counts(*system.backend)) return method.prepare(system, config);
    if (system.backend->kind() != BackendKind::serial)
      throw std::invalid_argument("ranks of one process are on the serial backend; use --backend serial");
    const auto team = std::make_shared<RankTeam>(ranks);
    return std::make_unique<RankedIteration>(
        system, method, config, ranks, shape, make, [team](const RankWork& work) { team->run(work); },
        nullptr);
  };
  return ranked;
}

SolverMethod on_ranks(const SolverMethod& method, Ranks& ranks, const PartShape& shape) {
  SolverMethod ranked = over_ranks(method);
  ranked.prepare = [method, shape, &ranks](const System& system,
                                           const Config& config) -> std::unique_ptr<Iteration> {
    if (only_counts(*system.backend)) return method.prepare(system, config);
    if (!system.backend->host_accessible())
      throw std::invalid_argument("ranks are on the serial or openmp backend; use --backend");
    return std::make_unique<RankedIteration>(
        system, method, config, ranks.count(), shape, rank_communicator,
        [&ranks](const RankWork& work) { work(ranks); }, &ranks);
  };
  return ranked;
}

}  // namespace cfdmark
