#include "bench/catalog/ranked_kernel.hpp"

#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <utility>

#include "bench/catalog/kernel_shape.hpp"
#include "bench/catalog/ranked_kernel_workload.hpp"
#include "generated/cell_kernels.hpp"
#include "kernels/cells/cell_kernel.hpp"
#include "kernels/ranks/domain_reduction.hpp"
#include "kernels/ranks/overlap.hpp"
#include "kernels/ranks/process_rank.hpp"
#include "kernels/ranks/rank_passes.hpp"

namespace cfdmark {
namespace {

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
std::function<void()> exchange_of(KernelPart& part, const Partition& partition, int overlap,
                                  const AnyView& field) {
  if (overlap > 0) return part.links->exchange_overlap(partition, overlap, field).step.run;
  if (part.links) return part.links->exchange(partition, field).step.run;
  const std::shared_ptr<GhostExchange> exchange = part.ranks.exchange(partition, field);
  return [exchange] { exchange->run(); };
}

// Sets the passes of a part that sums over the cells of all.
template <class K>
void prepare_reduction(KernelPart& part, const Partition& partition, const CellArgs<K>& args) {
  const std::vector<RowReduction> one = {{RowPartsOf<K>::make(args), part.result.data()}};
  if (part.links) {
    const Step step = part.links->reduce(partition, one);
    add_resources(part.resources, step);
    part.passes.push_back(step.run);
    return;
  }
  const auto reduction = std::make_shared<DomainReduction>(part.ranks, partition, one);
  part.passes.push_back([reduction] { reduction->run(); });
}

template <class K>
void prepare_part(KernelPart& part, const Partition& partition, const KernelOnRanks& of,
                  const Method<CellArgs<K>>& method, const Config& config) {
  std::vector<AnyView> views;
  for (const Field& field : part.fields) views.push_back(field.view());
  const Grid local = partition.grid_of(part.cells, of.ghosts);
  CellArgs<K> args =
      CellKernel<K>::kernel().bind({of.shape.precision, local, of.shape.op}, views, part.result.data());
  for_each_field<K>(args.fields, [&](auto& field) {
    // Constant weights are those of the whole domain.
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>, Operator>)
      if (field.constant) field = timed_constant_operator(of.shape.grid);
  });
  const std::vector<bool> around = fields_read_around<K>(views.size());
  for (std::size_t n = 0; n < views.size(); ++n)
    if (around[n]) part.exchanges.push_back(exchange_of(part, partition, of.overlap, views[n]));
  if constexpr (is_reduction<K>) {
    prepare_reduction<K>(part, partition, args);
  } else {
    const std::vector<K> passes = of.overlap > 0 ? std::vector<K>{args.kernel} : passes_of(args.kernel);
    for (const K& pass : passes) {
      args.kernel = pass;
      const Step step = method.prepare(*part.on, args, config);
      if (step.store)
        throw std::logic_error(method.name + " has a layout of its own, which no rank exchanges");
      add_resources(part.resources, step);
      if (step.load) part.loads.push_back(step.load);
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

// Returns the layers of other ranks' cells that a part needs to make the steps of a method on one message.
template <class K>
int overlap_of(const Method<CellArgs<K>>& method, const K& kernel, const Config& config) {
  return method.steps ? method.steps_of(config) * int(passes_of(kernel).size()) * halo_of<K> : 0;
}

template <class K>
KernelForRanks for_ranks() {
  return {in_order<K>, halo_of<K>,
          [](Backend& on, const RankSetup& setup, const ProblemShape& of_one_step, const std::string& named,
             const Config& config) {
            if (!process_rank()) require_rank_devices(on, setup.count);
            const auto kernel = CellKernel<K>::kernel();
            const Methods<CellArgs<K>> methods = kernel.methods(on.kind());
            const Method<CellArgs<K>>& method = find_method(methods, named);
            KernelOnRanks of{.setup = setup, .shape = of_one_step, .cost = {}, .ghosts = halo_of<K>};
            of.shape.steps = method.steps_of(config);
            auto fields = fields_for(kernel, of.shape, on);
            const CellArgs<K> whole = kernel.bind(of.shape, fields->views(), fields->result());
            of.cost = declared_cost(method, kernel.cost, whole, config);
            of.overlap = overlap_of<K>(method, whole.kernel, config);
            if (on.kind() == BackendKind::cuda) of.way = peer_way_of(config);
            return ranked_kernel_workload(on, of, std::move(fields),
                                          [&](KernelPart& part, const Partition& partition) {
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
  row.unsupported = [=, of_one = row.unsupported](const Domain& domain,
                                                  const Config& workload) -> std::string {
    if (kernel.in_order) return "its cells are computed in order, which ranks cannot do side by side";
    const std::string refused = of_one ? of_one(domain, workload) : "";
    return refused.empty() ? partition_refusal(domain.box(), setup, kernel.halo) : refused;
  };
  // The parts have the memory of one rank, and the fields of the whole domain are kept too.
  row.field_bytes = [of_one = row.field_bytes](const Domain& domain, const Config& workload) {
    return 2 * of_one(domain, workload);
  };
  row.prepare = [p = row.precision, method = row.method, kernel, setup](
                    Backend& on, const Domain& domain, const Config& config, const Config& workload) {
    return kernel.prepare(on, setup, shape_of(p, domain.box(), workload), method, config);
  };
  if (row.backend == BackendKind::cuda) row.space.settings.push_back(exchange_setting(setup));
  return row;
}

// A method of one pass, which reads ghosts and has no layout of its own; on CUDA also one of several steps,
// but not `tiled`, whose values may be in a field of its own.
bool runs_on_ranks(const Row& row) {
  if (row.method == "plain") return true;
  if (row.backend != BackendKind::cuda || row.method == "tiled") return false;
  return row.method == "vector" || row.method == "column" || row.several_steps;
}

}  // namespace

std::function<Row(const RankSetup&)> kernel_on_ranks(const Row& row) {
  if (row.kind != RowKind::kernel || !runs_on_ranks(row)) return {};
  const KernelForRanks* kernel = find_for_ranks(row.name);
  if (!kernel) return {};
  return [row, kernel](const RankSetup& setup) { return row_with_ranks(row, *kernel, setup); };
}

}  // namespace cfdmark
