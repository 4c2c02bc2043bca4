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
#include "kernels/ranks/overlapped_pass.hpp"
#include "kernels/ranks/process_rank.hpp"
#include "kernels/ranks/rank_passes.hpp"

namespace cfdmark {
namespace {

// Returns the indices of a kernel's fields of two roles, without arrays of an operator.
template <class K>
std::vector<std::size_t> fields_of(Role one, Role other) {
  std::vector<std::size_t> found;
  std::size_t next = 0;
  for_each_field<K>(K::names, [&](const auto& name) {
    if (name.role == one || name.role == other) found.push_back(next);
    next += name.role != Role::op;
  });
  return found;
}

template <class K>
std::vector<std::size_t> fields_read_around() {
  return fields_of<K>(Role::stencil_in, Role::stencil_in_out);
}
// Returns the fields that the next step of a repeated kernel reads with their neighbours.
template <class K>
std::vector<std::size_t> fields_sent() {
  return fields_of<K>(Role::out, Role::stencil_in_out);
}

// Returns why passes of a kernel that needs rounds cannot be computed in boxes next to them; empty if they
// can.
template <class K>
std::string why_not_next_to_rounds() {
  if (is_reduction<K>) return "the kernel sums over the cells of all ranks";
  bool at_cells = true;
  for_each_field<K>(K::names,
                    [&](const auto& name) { at_cells = at_cells && name.place == FieldPlace::cell; });
  return at_cells ? "" : "the kernel has values at faces, which two boxes of its cells share";
}

// Returns true if the next step of a kernel reads with their neighbours what a step has written.
template <class K>
bool sends_result() {
  return CellKernel<K>::kernel().repeats && !fields_sent<K>().empty();
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

// Sets passes next to their rounds. With `edges_first` a pass sends what the next step reads, so that the
// first step needs an exchange before it.
template <class K>
void prepare_overlapped(KernelPart& part, const Partition& partition, Overlap order,
                        const Method<CellArgs<K>>& method, CellArgs<K> args, const Config& config) {
  const DeviceLinks& links = *part.links;
  const auto view = [&](std::size_t n) { return part.fields[n].view(); };
  part.received = fields_read_around<K>();
  if (order == Overlap::edges_first) {
    for (const std::size_t n : part.received) {
      Plan start = links.round(partition, view(n), 0).plan;
      part.starts.push_back(static_cast<CudaBackend&>(*part.on).prepare(std::move(start)).run);
    }
    part.sent = fields_sent<K>();
  }
  std::vector<AnyView> exchanged;
  for (const std::size_t n : order == Overlap::edges_first ? part.sent : part.received)
    exchanged.push_back(view(n));
  for (const K& pass : passes_of(args.kernel)) {
    args.kernel = pass;
    const Step step = overlapped_pass(links, partition, order, exchanged, method, args, config).step;
    add_resources(part.resources, step);
    part.passes.push_back(step.run);
  }
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
  if constexpr (!is_reduction<K>)
    if (of.order != Overlap::none) return prepare_overlapped(part, partition, of.order, method, args, config);
  for (const std::size_t n : fields_read_around<K>())
    part.exchanges.push_back(exchange_of(part, partition, of.overlap, views[n]));
  if (of.overlap == 0) part.received = fields_read_around<K>();
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
  bool has_rounds = false;
  std::string why_no_overlap;  // why a pass cannot run next to its round; empty if it can
  bool sends_result = false;
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
  return {in_order<K>,
          halo_of<K>,
          !fields_read_around<K>().empty(),
          why_not_next_to_rounds<K>(),
          sends_result<K>(),
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
            if (config.has(overlap_name)) of.order = overlap_from(config.choice(overlap_name));
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

// Returns why a row has no other order than `none`; empty if it has.
std::string why_no_overlap(const Row& row, const KernelForRanks& kernel) {
  if (!row.several_steps) return kernel.why_no_overlap;
  return row.method + " makes several steps on one round; use method plain or column";
}

// Adds the setting of rounds next to passes on devices.
void add_overlap(Row& row, const KernelForRanks& kernel) {
  row.space.settings.push_back(overlap_setting({"inner_first", "edges_first"}));
  row.space.require(overlap_refusal);
  row.space.require([why_not = why_no_overlap(row, kernel),
                     sends_result = kernel.sends_result](const Config& config) -> std::string {
    const std::string order = config.choice(overlap_name);
    if (order == "none") return "";
    if (!why_not.empty()) return fmt::format("overlap={}: {}; set overlap=none", order, why_not);
    if (order == "inner_first" || sends_result) return "";
    return "overlap=edges_first sends results that no step of this kernel reads; set overlap=inner_first";
  });
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
  if (row.backend != BackendKind::cuda) return row;
  row.space.settings.push_back(exchange_setting(setup));
  if (kernel.has_rounds) add_overlap(row, kernel);
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
