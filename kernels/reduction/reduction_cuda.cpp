#include <algorithm>

#include "kernels/backends/cuda_blocks.hpp"
#include "kernels/reduction/reduction.hpp"
#include "kernels/reduction/reduction_formula.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/reduction/reduction.cu";
constexpr int finishing_threads = 256;

// Calls f.template operator()<Op>() with the operation's type.
template <class F>
decltype(auto) with_operation(ReductionOperation operation, F&& f) {
  switch (operation) {
    case ReductionOperation::sum: return f.template operator()<SumOperation>();
    case ReductionOperation::dot: return f.template operator()<DotOperation>();
    case ReductionOperation::max_norm: break;
  }
  return f.template operator()<MaxNormOperation>();
}

// One launch leaves a partial result a block, a second joins them. `width`: neighbouring cells a thread loads at once.
Plan two_launches(Backend& backend, const ReductionArgs& args, const Config& config, int width) {
  const Extent threads = block_of(config);
  const Grid& g = args.grid;
  const int blocks = std::min(config.at("blocks"), (g.ny * g.nz + threads.y - 1) / threads.y);
  const Buffer partial(backend, blocks * sizeof(double));
  double* const results = static_cast<double*>(partial.data());
  const bool two_fields = args.operation == ReductionOperation::dot && args.x.origin != args.y.origin;
  return with_types(args.precision, [&]<class S, class C>() {
    return with_operation(args.operation, [&]<class Op>() {
      const auto x = args.x.as<const S>(), y = (two_fields ? args.y : args.x).template as<const S>();
      return Plan{
          .run = {Launch{{source, instance<Op, S, C>("reduction_partial", {two_fields, width, threads.x, threads.y})},
                         {blocks}, threads, Arguments(x, y, results)},
                  Launch{{source, instance<Op>("reduction_finish", {finishing_threads})},
                         {1}, {finishing_threads},
                         Arguments(static_cast<const double*>(results), blocks, args.result)}},
          .memory = {partial}};
    });
  });
}

Plan plain(Backend& backend, const ReductionArgs& args, const Config& config) {
  return two_launches(backend, args, config, 1);
}
Plan vector(Backend& backend, const ReductionArgs& args, const Config& config) {
  return two_launches(backend, args, config, 16 / int(stored_bytes(args.precision)));
}

TuningSpace space() {
  TuningSpace space = flat_block_space({{"blocks", {256, 512, 1024, 2048, 4096}, 1024}});
  space.parameters[0].fallback = 256;
  space.parameters[1].fallback = 1;
  return space;
}

}  // namespace

Methods<ReductionArgs> reduction_cuda() {
  return {{"plain", space(), prepare_cuda<plain>}, {"vector", space(), prepare_cuda<vector>}};
}

}  // namespace cfdmark
