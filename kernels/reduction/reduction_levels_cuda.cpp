// Reductions level by level, as in chapter 4 of Menon 2008. Each level quarters the number of values until
// fewer than 0.75 rmin^2 remain (his appendix A.4). These are copied to the host and reduced there; as in his
// timings, both are part of the step.
#include <memory>

#include "kernels/device/cuda/plan/cuda_blocks.hpp"
#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/reduction/reduction_methods.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/reduction/reduction_levels.cu";

struct Rectangle {
  int width, height;
  Index values() const { return Index(width) * height; }
};

// Returns the rectangles from the field to the remainder for the host. Rows of all planes of a 3-D field are
// stacked.
std::vector<Rectangle> levels_of(const Grid& g, int rmin) {
  std::vector<Rectangle> levels = {{g.nx, g.ny * g.nz}};
  while (levels.back().values() >= 0.75 * rmin * rmin)
    levels.push_back({(levels.back().width + 1) / 2, (levels.back().height + 1) / 2});
  return levels;
}

// Reduces the remaining values of type C on the host, in double.
template <class Op, class C>
HostCall join_on_host(Backend& backend, const C* left, Index values, const std::shared_ptr<double>& result) {
  auto copy = std::make_shared<std::vector<C>>(values);
  return {[&backend, left, copy, result](const CudaQueue&) {
    backend.fence();
    backend.download(copy->data(), left, copy->size() * sizeof(C));
    double total = 0;
    for (C value : *copy) total = Op::template join<double>(total, double(value));
    *result = total;
  }};
}

// The same if no level is needed: downloads each field from the first to the last cell, padding included.
template <class K>
HostCall join_fields_on_host(Backend& backend, const CellArgs<K>& args,
                             const std::shared_ptr<double>& result) {
  auto copies = std::make_shared<std::vector<std::vector<char>>>(field_count<K>);
  return {[=, &backend](const CudaQueue&) {
    backend.fence();
    CellArgs<K> on_host = args;
    auto copy = copies->begin();
    for_each_field<K>(on_host.fields, [&](AnyView& view) {
      const Grid& g = view.grid;
      copy->resize((view.pitch * (g.ny - 1) + view.plane * (g.nz - 1) + g.nx) * stored_bytes(view.storage));
      backend.download(copy->data(), view.origin, copy->size());
      view.origin = (copy++)->data();
    });
    dispatch_types(on_host, [&]<class V>(const typename K::template Fields<V>& fields) {
      using Op = typename K::Reduction;
      double total = 0;
      for_each_cell(args.grid(), false, [&](int i, int j, int k) {
        const typename V::Number none = 0;
        total = Op::join(total, double(Op::add(none, sweep_cell<V>(args.kernel, fields, i, j, k))));
      });
      *result = total;
    });
  }};
}

// Uploads the host's result to the device when the step is stored, which is not timed.
HostCall upload_result(Backend& backend, const std::shared_ptr<double>& result, double* to) {
  return {[&backend, result, to](const CudaQueue&) { backend.upload(to, result.get(), sizeof(double)); }};
}

template <class K>
Plan reduce(Backend& backend, const CellArgs<K>& args, const Config& config, bool quarter) {
  const Extent t = block_of(config);
  const Grid g = args.grid();
  const std::vector<Rectangle> levels = levels_of(g, config.integer("rmin"));
  auto result = std::make_shared<double>();
  Plan plan{.store = {upload_result(backend, result, args.result)}};
  if (levels.size() == 1) {
    plan.run = {join_fields_on_host(backend, args, result)};
    return plan;
  }
  dispatch_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    using Op = typename K::Reduction;
    using C = typename V::Number;
    // Two alternating temporaries, as in Menon.
    const Buffer even(backend, levels[1].values() * sizeof(C)), odd(backend, levels[1].values() * sizeof(C));
    C* const temporaries[2] = {static_cast<C*>(even.data()), static_cast<C*>(odd.data())};
    plan.memory = {even, odd};
    for (std::size_t n = 1; n < levels.size(); ++n) {
      const Extent blocks = blocks_over({levels[n].width, levels[n].height}, t);
      const Rectangle from = levels[n - 1];
      C* const out = temporaries[n % 2];
      const C* const in = temporaries[1 - n % 2];
      if (n == 1)
        plan.run.push_back(
            Launch{{source, instance<K, V, C>("reduction_first_level", {quarter, compiled_for(t)})},
                   blocks,
                   t,
                   Arguments(args.kernel, fields, Cells{g.nx, g.ny, g.nz}, out)});
      else
        plan.run.push_back(
            Launch{{source, instance<Op, C>("reduction_next_level", {quarter, compiled_for(t)})},
                   blocks,
                   t,
                   Arguments(in, from.width, from.height, out)});
    }
    const C* const left = temporaries[(levels.size() - 1) % 2];
    plan.run.push_back(join_on_host<Op, C>(backend, left, levels.back().values(), result));
  });
  return plan;
}

template <class K, bool quarter>
Plan by_levels(Backend& backend, const CellArgs<K>& args, const Config& config) {
  return reduce(backend, args, config, quarter);
}

// Returns the cost: the field is read once; each level's values are written and read once.
template <class K>
Cost cost(const CellArgs<K>& args, const Config& config) {
  Cost cost = cell_cost(args);
  const std::vector<Rectangle> levels = levels_of(args.grid(), config.integer("rmin"));
  for (std::size_t n = 1; n < levels.size(); ++n)
    cost.bytes += 2.0 * double(levels[n].values()) * stored_bytes(arithmetic_of(args.precision));
  return cost;
}

TuningSpace space() {
  TuningSpace space = flat_block_space(
      {{"rmin", {32, 64, 128}, 32, "values per side below which the last level sums up"}});  // 32 as in Menon
  space.require(
      [](const Config& c) -> std::string { return c.integer("rmin") < 2 ? "rmin must be at least 2" : ""; });
  return space;
}

}  // namespace

template <class K>
Methods<CellArgs<K>> reduction_levels_cuda() {
  return {{.name = "local",
           .space = space(),
           .prepare = prepare_cuda<by_levels<K, false>>,
           .config_cost = cost<K>},
          {.name = "quarter",
           .space = space(),
           .prepare = prepare_cuda<by_levels<K, true>>,
           .config_cost = cost<K>}};
}
template Methods<CellArgs<Sum>> reduction_levels_cuda();
template Methods<CellArgs<Dot>> reduction_levels_cuda();
template Methods<CellArgs<MaxNorm>> reduction_levels_cuda();

}  // namespace cfdmark
