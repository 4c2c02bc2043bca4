#include "bench/catalog/ranked_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <stdexcept>
#include <utility>

#include "bench/catalog/fields_workload.hpp"
#include "bench/catalog/kernel_shape.hpp"
#include "bench/catalog/ranks_json.hpp"
#include "generated/cell_kernels.hpp"
#include "kernels/cells/cell_kernel.hpp"
#include "kernels/ranks/domain_reduction.hpp"
#include "kernels/ranks/process_rank.hpp"
#include "kernels/ranks/rank_passes.hpp"
#include "kernels/ranks/timed_ranks.hpp"
#include "solvers/linear/ranked_iteration.hpp"

namespace cfdmark {
namespace {

// One rank's part of the fields of a kernel, with its passes. Ghosts are exchanged before each pass.
struct KernelPart {
  KernelPart(Ranks& of_all, const CellBox& box, Backend& on) : ranks(of_all), own(box), queue(on) {}

  void run() {
    const auto start = std::chrono::steady_clock::now();
    for (const auto& pass : passes) {
      for (const auto& exchange : exchanges) exchange->run();
      pass();
    }
    busy += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  void reset() {
    busy = 0;
    ranks.reset();
  }

  TimedRanks ranks;
  CellBox own;
  RankQueue queue;
  std::vector<Field> fields;
  std::vector<std::unique_ptr<GhostExchange>> exchanges;
  std::vector<std::function<void()>> passes;
  int threads = 0;  // of its passes
  double result = 0;
  double busy = 0;  // seconds since reset()
};

// Returns the grid of a part of a field, which may be at faces: then it has one more than its part has cells.
Grid part_of_field(const Grid& field, const Grid& whole, const Grid& local) {
  Grid here = local.with_halo(field.halo);
  here.nx += field.nx - whole.nx, here.ny += field.ny - whole.ny, here.nz += field.nz - whole.nz;
  return here;
}

// Prepares exchanges and passes of a part whose fields are set, with the config of its method.
using PreparePart = std::function<void(KernelPart&, const Partition&, const ProblemShape&, const Config&)>;

RankGroup group_of(const RankSetup& setup) {
  return process_rank() ? process_group(*process_rank()) : thread_group(setup.count);
}

class RankedKernelWorkload final : public FieldsWorkload {
 public:
  RankedKernelWorkload(Backend& on, const RankSetup& setup, int halo, const ProblemShape& shape,
                       const Config& config, const Cost& cost, std::shared_ptr<KernelFields> fields,
                       const PreparePart& prepare)
      : FieldsWorkload(on, std::move(fields)),
        setup_(setup),
        shape_(shape),
        cost_(cost),
        partition_(Partition::of(shape.grid, setup.count, PartShape::from(setup.partition))),
        parts_(static_cast<std::size_t>(setup.count)),
        group_(group_of(setup)) {
    group_.run([&](Ranks& ranks) {
      auto& part = parts_[std::size_t(ranks.rank())];
      const Grid local = partition_.local(ranks.rank(), halo);
      part = std::make_unique<KernelPart>(ranks, partition_.part(ranks.rank()).own, on);
      for (const AnyView& whole : fields_->views())
        part->fields.emplace_back(*part->queue, part_of_field(whole.grid, shape.grid, local), whole.storage);
      load_part(*part);
      prepare(*part, partition_, shape, config);
      part->reset();
    });
    step_.resources.threads = setup.count * std::max(first_part().threads, 1);
    step_.run = [this] { group_.run(run_); };
  }

  void reset() override {
    FieldsWorkload::reset();
    group_.run([this](Ranks& ranks) { load_part(part(ranks)); });
  }
  void run() override {
    FieldsWorkload::run();
    ++runs_;
  }
  Cost cost() const override { return cost_; }

  nlohmann::json rank_facts() const override {
    RankFacts facts;
    facts.setup = setup_;
    facts.joined_by = group_.process ? "mpi" : "threads";
    facts.parts = partition_.counts();
    facts.imbalance = partition_.imbalance();
    std::vector<RankSeconds> seconds;
    const double runs = std::max(runs_, 1);
    for (int rank = 0; rank < setup_.count; ++rank) {
      facts.cells.push_back(double(partition_.part(rank).own.cells()));
      seconds.emplace_back();
      const auto& part = parts_[std::size_t(rank)];
      if (!part) continue;
      const Communicated& sent = part->ranks.communicated();
      facts.messages += sent.messages / runs;
      facts.exchange_bytes += sent.exchange_bytes / runs;
      facts.largest_message = std::max(facts.largest_message, sent.largest_message);
      facts.sums = sent.sums / runs;
      facts.sum_bytes += sent.sum_bytes / runs;
      seconds.back() = {part->busy / runs, sent.exchange_seconds / runs, sent.sum_seconds / runs};
    }
    return ranks_json(facts, {seconds});
  }

 private:
  KernelPart& part(const Ranks& ranks) { return *parts_[std::size_t(ranks.rank())]; }
  // Returns the first part of this process.
  const KernelPart& first_part() const {
    return *parts_[group_.process ? std::size_t(group_.process->rank()) : 0];
  }

  void load_part(KernelPart& part) const {
    for (std::size_t n = 0; n < part.fields.size(); ++n)
      copy_part(fields_->views()[n], part.own, part.fields[n].view());
  }

  Verification check() override {
    const std::vector<AnyView> whole = fields_->views();
    for (std::size_t n = 0; n < whole.size(); ++n) {
      if (!fields_->start().fields[n].is_written) continue;
      for (const auto& part : parts_)
        if (part) copy_part_back(part->fields[n].view(), part->own, whole[n]);
      if (group_.process) share_parts(*group_.process, partition_, whole[n]);
    }
    *fields_->result() = first_part().result;
    return fields_->check(0, fmt::format("{} ranks, {}", setup_.count, setup_.partition), shape_);
  }

  RankSetup setup_;
  ProblemShape shape_;
  Cost cost_;
  Partition partition_;
  std::vector<std::unique_ptr<KernelPart>> parts_;
  RankGroup group_;  // ends before the parts
  std::function<void(Ranks&)> run_ = [this](Ranks& ranks) { part(ranks).run(); };
  int runs_ = 0;
};

// Returns for each field of a kernel whether it is read with its neighbours. Arrays of an operator are not.
template <class K>
std::vector<bool> fields_read_around(std::size_t count) {
  std::vector<bool> around;
  for_each_field<K>(K::names, [&](const auto& name) {
    constexpr Role role = std::decay_t<decltype(name)>::role;
    if (role != Role::op) around.push_back(role == Role::stencil_in || role == Role::stencil_in_out);
  });
  around.resize(count, false);
  return around;
}

template <class Args>
const Method<Args>& plain(const std::vector<Method<Args>>& methods) {
  return *std::find_if(methods.begin(), methods.end(), [](const auto& m) { return m.name == "plain"; });
}

template <class K>
void prepare_part(KernelPart& part, const Partition& partition, const ProblemShape& shape,
                  const Config& config) {
  const auto kernel = CellKernel<K>::kernel();
  std::vector<AnyView> views;
  for (const Field& field : part.fields) views.push_back(field.view());
  const Grid local = partition.local(part.ranks.rank(), halo_of<K>);
  CellArgs<K> args = kernel.bind({shape.precision, local, shape.op}, views, &part.result);
  for_each_field<K>(args.fields, [&](auto& field) {
    // Constant weights are those of the whole domain.
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>, Operator>)
      if (field.constant) field = timed_constant_operator(shape.grid);
  });
  const std::vector<bool> around = fields_read_around<K>(views.size());
  for (std::size_t n = 0; n < views.size(); ++n)
    if (around[n]) part.exchanges.push_back(part.ranks.exchange(partition, views[n]));
  if constexpr (is_reduction<K>) {
    const auto reduction =
        std::make_shared<DomainReduction>(part.ranks, partition, RowPartsOf<K>::make(args), &part.result);
    part.passes.push_back([reduction] { reduction->run(); });
  } else {
    for (const K& pass : passes_of(args.kernel)) {
      args.kernel = pass;
      const Step step = plain(kernel.methods(part.queue->kind())).prepare(*part.queue, args, config);
      part.threads = step.resources.threads;
      part.passes.push_back(step.run);
    }
  }
}

// Properties of a kernel that decide how it runs on ranks.
struct KernelForRanks {
  bool in_order = false;
  int halo = 1;
  // Prepares a case.
  std::function<std::unique_ptr<Workload>(Backend&, const RankSetup&, const ProblemShape&, const Config&)>
      prepare;
};

template <class K>
KernelForRanks for_ranks() {
  return {in_order<K>, halo_of<K>,
          [](Backend& on, const RankSetup& setup, const ProblemShape& shape, const Config& config) {
            const auto kernel = CellKernel<K>::kernel();
            auto fields = fields_for(kernel, shape, on);
            const Cost cost = kernel.cost(kernel.bind(shape, fields->views(), fields->result()));
            return std::make_unique<RankedKernelWorkload>(on, setup, halo_of<K>, shape, config, cost,
                                                          std::move(fields), prepare_part<K>);
          }};
}

template <class... K>
std::map<std::string, KernelForRanks> all_for_ranks(KernelTypes<K...>) {
  return {{CellKernel<K>::kernel().name, for_ranks<K>()}...};
}

const KernelForRanks* find_for_ranks(const std::string& kernel) {
  static const std::map<std::string, KernelForRanks> known = all_for_ranks(CellKernels{});
  const auto found = known.find(kernel);
  return found == known.end() ? nullptr : &found->second;
}

Row row_with_ranks(Row row, const KernelForRanks& kernel, const RankSetup& setup) {
  row.on_ranks = nullptr;
  row.preferred = nullptr;
  row.unsupported = [=](const Domain& domain, const Config&) -> std::string {
    if (kernel.in_order) return "its cells are computed in order, which ranks cannot do side by side";
    return partition_refusal(domain.box(), setup, kernel.halo);
  };
  // The parts have the memory of one rank, and the fields of the whole domain are kept too.
  row.field_bytes = [of_one = row.field_bytes](const Domain& domain, const Config& workload) {
    return 2 * of_one(domain, workload);
  };
  row.prepare = [p = row.precision, kernel, setup](Backend& on, const Domain& domain, const Config& config,
                                                   const Config& workload) {
    return kernel.prepare(on, setup, shape_of(p, domain.box(), workload), config);
  };
  return row;
}

}  // namespace

std::function<Row(const RankSetup&)> kernel_on_ranks(const Row& row) {
  if (row.kind != RowKind::kernel || row.backend == BackendKind::cuda || row.method != "plain") return {};
  const KernelForRanks* kernel = find_for_ranks(row.name);
  if (!kernel) return {};
  return [row, kernel](const RankSetup& setup) { return row_with_ranks(row, *kernel, setup); };
}

}  // namespace cfdmark
