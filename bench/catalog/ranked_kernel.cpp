#include "bench/catalog/ranked_kernel.hpp"

#include <map>
#include <utility>

#include "bench/catalog/kernel_shape.hpp"
#include "bench/catalog/ranked_workload.hpp"
#include "generated/cell_kernels.hpp"
#include "kernels/cells/cell_kernel.hpp"
#include "kernels/ranks/domain_reduction.hpp"
#include "kernels/ranks/rank_passes.hpp"
#include "solvers/linear/ranked_iteration.hpp"

namespace cfdmark {
namespace {

// Returns the grid of a part of a field, which may be at faces: then it has one more than its part has cells.
Grid part_of_field(const Grid& field, const Grid& whole, const Grid& local) {
  Grid here = local.with_halo(field.halo);
  here.nx += field.nx - whole.nx, here.ny += field.ny - whole.ny, here.nz += field.nz - whole.nz;
  return here;
}

// A box of the domain with its passes. Ghosts are exchanged before each pass.
struct BoxPart final : KernelPart {
  // `whole`: the fields of the domain.
  BoxPart(Ranks& of_all, const Partition& partition, int halo, const std::vector<AnyView>& whole)
      : ranks(of_all), own(partition.part(of_all.rank()).own), queue(new_queue(BackendKind::serial)) {
    const Grid local = partition.local(ranks.rank(), halo);
    for (const AnyView& field : whole) {
      fields.emplace_back(*queue, part_of_field(field.grid, partition.whole(), local), field.storage);
      views.push_back(fields.back().view());
    }
  }

  void load(const std::vector<AnyView>& whole) override {
    for (std::size_t n = 0; n < views.size(); ++n) copy_part(whole[n], own, views[n]);
  }
  void store(const std::vector<AnyView>& whole) const override {
    for (const std::size_t n : written) copy_part_back(views[n], own, whole[n]);
  }
  void run() override {
    for (const auto& pass : passes) {
      for (const auto& exchange : exchanges) exchange->run();
      pass();
    }
  }
  double result() const override { return sum; }

  Ranks& ranks;
  CellBox own;
  std::unique_ptr<Backend> queue;
  std::vector<Field> fields;
  std::vector<AnyView> views;
  std::vector<std::size_t> written;  // indices of the fields with results
  std::vector<std::unique_ptr<GhostExchange>> exchanges;
  std::vector<std::function<void()>> passes;
  double sum = 0;
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

template <class K>
void prepare_part(BoxPart& part, const Partition& partition, const ProblemShape& shape) {
  const auto kernel = CellKernel<K>::kernel();
  const Grid local = partition.local(part.ranks.rank(), halo_of<K>);
  CellArgs<K> args = kernel.bind({shape.precision, local, shape.op}, part.views, &part.sum);
  for_each_field<K>(args.fields, [&](auto& field) {
    // Constant weights are those of the whole domain.
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>, Operator>)
      if (field.constant) field = timed_constant_operator(shape.grid);
  });
  const std::vector<bool> around = fields_read_around<K>(part.views.size());
  for (std::size_t n = 0; n < part.views.size(); ++n)
    if (around[n]) part.exchanges.push_back(part.ranks.exchange(partition, part.views[n]));
  if constexpr (is_reduction<K>) {
    const auto reduction =
        std::make_shared<DomainReduction>(part.ranks, partition, RowPartsOf<K>::make(args), &part.sum);
    part.passes.push_back([reduction] { reduction->run(); });
  } else {
    for (const K& pass : passes_of(args.kernel)) {
      args.kernel = pass;
      part.passes.push_back(kernel.methods(BackendKind::serial).front().prepare(*part.queue, args, {}).run);
    }
  }
}

RankFacts partition_facts(const Partition& partition, const RankSetup& setup) {
  RankFacts facts;
  facts.setup = setup;
  facts.parts = partition.counts();
  facts.imbalance = partition.imbalance();
  for (int r = 0; r < partition.ranks(); ++r) facts.cells.push_back(double(partition.part(r).own.cells()));
  return facts;
}

// Properties of a kernel that decide how it runs on ranks.
struct KernelForRanks {
  bool in_order = false;
  int halo = 1;
  // Prepares a case.
  std::function<std::unique_ptr<Workload>(Backend&, const RankSetup&, const ProblemShape&)> prepare;
};

template <class K>
KernelForRanks for_ranks() {
  return {in_order<K>, halo_of<K>, [](Backend& on, const RankSetup& setup, const ProblemShape& shape) {
            const auto kernel = CellKernel<K>::kernel();
            const auto fields = fields_for(kernel, shape, on);
            const Cost cost = kernel.cost(kernel.bind(shape, fields->views(), fields->result()));
            const Partition partition =
                Partition::of(shape.grid, setup.count, PartShape::from(setup.partition));
            return std::make_unique<RankedKernelWorkload>(
                on, partition_facts(partition, setup), cost, fields,
                [&](Ranks& ranks) {
                  auto part = std::make_unique<BoxPart>(ranks, partition, halo_of<K>, fields->views());
                  for (std::size_t n = 0; n < part->views.size(); ++n)
                    if (fields->start().fields[n].is_written) part->written.push_back(n);
                  part->load(fields->views());
                  prepare_part<K>(*part, partition, shape);
                  return part;
                },
                [shape](KernelFields& of, const std::string& method) { return of.check(0, method, shape); });
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
  row.prepare = [p = row.precision, kernel, setup](Backend& on, const Domain& domain, const Config&,
                                                   const Config& workload) {
    return kernel.prepare(on, setup, shape_of(p, domain.box(), workload));
  };
  return row;
}

}  // namespace

std::function<Row(const RankSetup&)> kernel_on_ranks(const Row& row) {
  if (row.kind != RowKind::kernel || row.backend != BackendKind::serial || row.method != "plain") return {};
  const KernelForRanks* kernel = find_for_ranks(row.name);
  if (!kernel) return {};
  return [row, kernel](const RankSetup& setup) { return row_with_ranks(row, *kernel, setup); };
}

}  // namespace cfdmark
