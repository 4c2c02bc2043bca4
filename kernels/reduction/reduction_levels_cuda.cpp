// Reductions level by level, as Menon 2008 has them in chapter 4: each level quarters what is left, until it
// is less than 0.75 rmin^2 values (his appendix A.4), which are copied to the host and joined there. The copy
// and the host's work are part of the step, as they are of his times.
#include <array>
#include <memory>

#include "kernels/backends/cuda_blocks.hpp"
#include "kernels/reduction/reduction.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/reduction/reduction_levels.cu";

struct Rectangle {
  int width, height;
  Index values() const { return Index(width) * height; }
};

// From the field to what is left for the host. The rows of all planes of a 3-D field lie one above the other.
std::vector<Rectangle> levels_of(const Grid& g, int rmin) {
  std::vector<Rectangle> levels = {{g.nx, g.ny * g.nz}};
  while (levels.back().values() >= 0.75 * rmin * rmin)
    levels.push_back({(levels.back().width + 1) / 2, (levels.back().height + 1) / 2});
  return levels;
}

bool two_fields(const ReductionArgs& args) {
  return args.operation == ReductionOperation::dot && args.x.origin != args.y.origin;
}

// Joins what is left of type C on the host, in double.
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

// The same where no level was needed: the rows from the first to the last cell, with the padding between
// them.
template <class Op, class S, class C>
HostCall join_fields_on_host(Backend& backend, const ReductionArgs& args,
                             const std::shared_ptr<double>& result) {
  const View<const S> x = args.x.as<const S>(),
                      y = (two_fields(args) ? args.y : args.x).template as<const S>();
  const Grid g = args.grid;
  const Index values = x.row(g.ny - 1, g.nz - 1) + g.nx - x.origin;
  auto copies = std::make_shared<std::array<std::vector<S>, 2>>();
  return {[=, &backend, both = two_fields(args)](const CudaQueue&) {
    backend.fence();
    for (int n = 0; n < (both ? 2 : 1); ++n) {
      (*copies)[n].resize(values);
      backend.download((*copies)[n].data(), n == 0 ? x.origin : y.origin, values * sizeof(S));
    }
    View<const S> on_host_x = x, on_host_y = x;
    on_host_x.origin = (*copies)[0].data(), on_host_y.origin = (*copies)[both ? 1 : 0].data();
    double total = 0;
    for_each_cell(g, false, [&](int i, int j, int k) {
      const C value = Op::template add<C>(0, C(on_host_x(i, j, k)), C(on_host_y(i, j, k)));
      total = Op::template join<double>(total, double(value));
    });
    *result = total;
  }};
}

// The host has the result; it goes to the device when the step is stored, outside the clock.
HostCall upload_result(Backend& backend, const std::shared_ptr<double>& result, double* to) {
  return {[&backend, result, to](const CudaQueue&) { backend.upload(to, result.get(), sizeof(double)); }};
}

template <class Op, class S, class C>
Plan reduce(Backend& backend, const ReductionArgs& args, const Config& config, bool quarter) {
  const Extent t = block_of(config);
  const std::vector<Rectangle> levels = levels_of(args.grid, config.whole("rmin"));
  auto result = std::make_shared<double>();
  Plan plan{.store = {upload_result(backend, result, args.result)}};
  if (levels.size() == 1) {
    plan.run = {join_fields_on_host<Op, S, C>(backend, args, result)};
    return plan;
  }
  // Two temporaries that take turns, as his do.
  const Buffer even(backend, levels[1].values() * sizeof(C)), odd(backend, levels[1].values() * sizeof(C));
  C* const temporaries[2] = {static_cast<C*>(even.data()), static_cast<C*>(odd.data())};
  plan.memory = {even, odd};
  for (std::size_t n = 1; n < levels.size(); ++n) {
    const Extent blocks = blocks_over({levels[n].width, levels[n].height}, t);
    const Rectangle from = levels[n - 1];
    C* const out = temporaries[n % 2];
    const C* const in = temporaries[1 - n % 2];
    const auto x = args.x.as<const S>(), y = (two_fields(args) ? args.y : args.x).template as<const S>();
    if (n == 1)
      plan.run.push_back(
          Launch{{source, instance<Op, S, C>("reduction_first_level", {two_fields(args), quarter, t.x, t.y})},
                 blocks,
                 t,
                 Arguments(x, y, out)});
    else
      plan.run.push_back(Launch{{source, instance<Op, C>("reduction_next_level", {quarter, t.x, t.y})},
                                blocks,
                                t,
                                Arguments(in, from.width, from.height, out)});
  }
  const C* const left = temporaries[(levels.size() - 1) % 2];
  plan.run.push_back(join_on_host<Op, C>(backend, left, levels.back().values(), result));
  return plan;
}

template <bool quarter>
Plan by_levels(Backend& backend, const ReductionArgs& args, const Config& config) {
  return with_types(args.precision, [&]<class S, class C>() {
    return with_operation(args.operation,
                          [&]<class Op>() { return reduce<Op, S, C>(backend, args, config, quarter); });
  });
}

// The field read once, each level's values written and read once.
Cost cost(const ReductionArgs& args, const Config& config) {
  Cost cost = reduction_cost(args);
  const std::vector<Rectangle> levels = levels_of(args.grid, config.whole("rmin"));
  for (std::size_t n = 1; n < levels.size(); ++n)
    cost.bytes += 2.0 * double(levels[n].values()) * stored_bytes(arithmetic_of(args.precision));
  return cost;
}

TuningSpace space() {
  TuningSpace space = flat_block_space(
      {{"rmin", {32, 64, 128}, 32, "values a side below which the last level sums up"}});  // 32 is his
  space.require([](const Config& c) -> std::string {
    return c.whole("rmin") < 2 ? "rmin=1: what is left has at least 2 by 2 values" : "";
  });
  return space;
}

}  // namespace

Methods<ReductionArgs> reduction_levels_cuda() {
  return {
      {.name = "local", .space = space(), .prepare = prepare_cuda<by_levels<false>>, .config_cost = cost},
      {.name = "quarter", .space = space(), .prepare = prepare_cuda<by_levels<true>>, .config_cost = cost}};
}

}  // namespace cfdmark
