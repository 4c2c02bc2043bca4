#include "bench/catalog/ranked_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <stdexcept>
#include <utility>

#include "bench/catalog/fields_workload.hpp"
#include "bench/catalog/kernel_shape.hpp"
#include "bench/catalog/rank_details_json.hpp"
#include "bench/catalog/ranks_json.hpp"
#include "generated/cell_kernels.hpp"
#include "kernels/cells/cell_kernel.hpp"
#include "kernels/ranks/device_links.hpp"
#include "kernels/ranks/domain_reduction.hpp"
#include "kernels/ranks/process_rank.hpp"
#include "kernels/ranks/rank_passes.hpp"
#include "kernels/ranks/timed_ranks.hpp"
#include "solvers/linear/device_parts.hpp"

namespace cfdmark {
namespace {

// One rank's part of the fields of a kernel, with its passes. Ghosts are exchanged before each pass.
struct KernelPart {
  KernelPart(Ranks& of_all, const CellBox& box, const Backend& whole)
      : ranks(of_all), own(box), on(whole, of_all.rank()), result(*on) {}

  void run() {
    const auto start = std::chrono::steady_clock::now();
    for (const auto& pass : passes) {
      for (const auto& exchange : exchanges) exchange();
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
  RankBackend on;
  std::vector<Field> fields;
  std::unique_ptr<const DeviceLinks> links;  // of CUDA devices
  std::vector<std::function<void()>> exchanges, passes;
  DeviceScalar result;
  Resources resources;  // of the passes
  double busy = 0;      // seconds since reset()
};

// Returns the grid of a part of a field, which may be at faces: then it has one more than its part has cells.
Grid part_of_field(const Grid& field, const Grid& whole, const Grid& local) {
  Grid here = local.with_halo(field.halo);
  here.nx += field.nx - whole.nx, here.ny += field.ny - whole.ny, here.nz += field.nz - whole.nz;
  return here;
}

// Prepares exchanges and passes of a part whose fields are set.
using PreparePart = std::function<void(KernelPart&, const Partition&, const ProblemShape&)>;

class RankedKernelWorkload final : public FieldsWorkload {
 public:
  RankedKernelWorkload(Backend& on, const RankSetup& setup, int halo, const ProblemShape& shape,
                       const Cost& cost, std::shared_ptr<KernelFields> fields, const Config& config,
                       const PreparePart& prepare)
      : FieldsWorkload(on, std::move(fields)),
        on_(on),
        setup_(setup),
        shape_(shape),
        cost_(cost),
        partition_(aligned_parts(shape.grid, setup.count, PartShape::from(setup.partition),
                                 rank_alignment_of(on.kind(), shape.grid), {})),
        parts_(static_cast<std::size_t>(setup.count)),
        group_(process_rank() ? process_group(*process_rank()) : thread_group(setup.count)) {
    const bool on_devices = on.kind() == BackendKind::cuda;
    group_.run([&](Ranks& ranks) {
      auto& part = parts_[std::size_t(ranks.rank())];
      const Grid local = partition_.local(ranks.rank(), halo);
      part = std::make_unique<KernelPart>(ranks, partition_.part(ranks.rank()).own, on);
      for (const AnyView& whole : fields_->views())
        part->fields.emplace_back(*part->on, part_of_field(whole.grid, shape.grid, local), whole.storage);
      if (on_devices)
        part->links = std::make_unique<DeviceLinks>(part->ranks, *part->on, peer_way_of(config));
      load_part(*part);
      prepare(*part, partition_, shape);
      part->reset();
    });
    step_.resources = first_part().resources;
    step_.resources.threads = setup.count * std::max(step_.resources.threads, 1);
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
    std::vector<RankDetail> details;
    const int runs = std::max(runs_, 1);
    for (int rank = 0; rank < setup_.count; ++rank) {
      const auto& part = parts_[std::size_t(rank)];
      const Communicated sent = part ? part->ranks.communicated() : Communicated();
      add_rank(facts, double(partition_.part(rank).own.cells()), part ? part->busy : 0, sent, runs);
      if (part) details.push_back(rank_detail(sent, runs));
    }
    nlohmann::json json = ranks_json(facts, {facts.of_a_solve});
    add_details(json, {details});
    return json;
  }

 private:
  KernelPart& part(const Ranks& ranks) { return *parts_[std::size_t(ranks.rank())]; }
  // Returns the first part of this process.
  const KernelPart& first_part() const {
    return *parts_[group_.process ? std::size_t(group_.process->rank()) : 0];
  }

  void load_part(KernelPart& part) const {
    std::vector<GhostCopy> copies;
    for (std::size_t n = 0; n < part.fields.size(); ++n)
      copies.push_back(part_copy(fields_->views()[n], part.own, part.fields[n].view()));
    on_.fence();
    run_copies(*part.on, copies);
  }

  Verification check() override {
    const auto is_written = [this](std::size_t n) { return fields_->start().fields[n].is_written; };
    const std::vector<AnyView>& whole = fields_->views();
    for (const auto& part : parts_) {
      if (!part) continue;
      std::vector<GhostCopy> copies;
      for (std::size_t n = 0; n < whole.size(); ++n)
        if (is_written(n)) copies.push_back(part_copy_back(part->fields[n].view(), part->own, whole[n]));
      part->on.get()->fence();
      run_copies(*part->on, copies);
    }
    for (std::size_t n = 0; n < whole.size() && group_.process; ++n)
      if (is_written(n)) share_parts(*group_.process, partition_, whole[n]);
    const double result = first_part().result.get();
    on_.upload(fields_->result(), &result, sizeof result);
    return fields_->check(0, fmt::format("{} ranks, {}", setup_.count, setup_.partition), shape_);
  }

  Backend& on_;
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

// Returns the exchange of a part's field.
std::function<void()> exchange_of(KernelPart& part, const Partition& partition, const AnyView& field) {
  if (part.links) return part.links->exchange(partition, field).step.run;
  const std::shared_ptr<GhostExchange> exchange = part.ranks.exchange(partition, field);
  return [exchange] { exchange->run(); };
}

template <class K>
void prepare_part(KernelPart& part, const Partition& partition, const ProblemShape& shape,
                  const std::string& method, const Config& config) {
  const auto kernel = CellKernel<K>::kernel();
  std::vector<AnyView> views;
  for (const Field& field : part.fields) views.push_back(field.view());
  const Grid local = partition.local(part.ranks.rank(), halo_of<K>);
  CellArgs<K> args = kernel.bind({shape.precision, local, shape.op}, views, part.result.data());
  for_each_field<K>(args.fields, [&](auto& field) {
    // Constant weights are those of the whole domain.
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>, Operator>)
      if (field.constant) field = timed_constant_operator(shape.grid);
  });
  const std::vector<bool> around = fields_read_around<K>(views.size());
  for (std::size_t n = 0; n < views.size(); ++n)
    if (around[n]) part.exchanges.push_back(exchange_of(part, partition, views[n]));
  if constexpr (is_reduction<K>) {
    if (part.links) {
      const Step step =
          part.links->reduce(partition, bricks_of(RowPartsOf<K>::make(args)), part.result.data());
      add_resources(part.resources, step);
      part.passes.push_back(step.run);
      return;
    }
    const auto reduction = std::make_shared<DomainReduction>(part.ranks, partition, RowPartsOf<K>::make(args),
                                                             part.result.data());
    part.passes.push_back([reduction] { reduction->run(); });
  } else {
    const Methods<CellArgs<K>> methods = kernel.methods(part.on.get()->kind());
    for (const K& pass : passes_of(args.kernel)) {
      args.kernel = pass;
      const Step step = find_method(methods, method).prepare(*part.on, args, config);
      add_resources(part.resources, step);
      part.passes.push_back(step.run);
    }
  }
}

// Properties of a kernel that decide how it runs on ranks.
struct KernelForRanks {
  bool in_order = false;
  int halo = 1;
  // Prepares a case.
  std::function<std::unique_ptr<Workload>(Backend&, const RankSetup&, const ProblemShape&,
                                          const std::string& method, const Config&)>
      prepare;
};

template <class K>
KernelForRanks for_ranks() {
  return {in_order<K>, halo_of<K>,
          [](Backend& on, const RankSetup& setup, const ProblemShape& shape, const std::string& method,
             const Config& config) {
            if (!process_rank()) require_rank_devices(on, setup.count);
            const auto kernel = CellKernel<K>::kernel();
            auto fields = fields_for(kernel, shape, on);
            const Cost cost = kernel.cost(kernel.bind(shape, fields->views(), fields->result()));
            return std::make_unique<RankedKernelWorkload>(
                on, setup, halo_of<K>, shape, cost, std::move(fields), config,
                [&](KernelPart& part, const Partition& partition, const ProblemShape& of) {
                  prepare_part<K>(part, partition, of, method, config);
                });
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
  row.prepare = [p = row.precision, method = row.method, kernel, setup](
                    Backend& on, const Domain& domain, const Config& config, const Config& workload) {
    return kernel.prepare(on, setup, shape_of(p, domain.box(), workload), method, config);
  };
  if (row.backend == BackendKind::cuda) row.space.settings.push_back(exchange_setting());
  return row;
}

// A method of one pass, which reads ghosts and has no layout of its own.
bool runs_on_ranks(const Row& row) {
  if (row.method == "plain") return true;
  return row.backend == BackendKind::cuda && (row.method == "vector" || row.method == "column");
}

}  // namespace

std::function<Row(const RankSetup&)> kernel_on_ranks(const Row& row) {
  if (row.kind != RowKind::kernel || !runs_on_ranks(row)) return {};
  const KernelForRanks* kernel = find_for_ranks(row.name);
  if (!kernel) return {};
  return [row, kernel](const RankSetup& setup) { return row_with_ranks(row, *kernel, setup); };
}

}  // namespace cfdmark
