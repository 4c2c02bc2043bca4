#include "kernels/backends/cuda_blocks.hpp"
#include "kernels/smoothing/smoothing.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/smoothing/smoothing.cu";

// One launch of a function whose last template argument is `last`; its threads have `planes` cells in z each.
Plan sweep(const char* name, const SmoothingArgs& args, Extent threads, int planes, int last) {
  return with_types(args.precision, [&]<class S, class C>() {
    return Plan{.run = {Launch{{source, instance<S, C>(name, {threads.x, threads.y, last})},
                               blocks_over(args.grid, threads, {1, 1, planes}),
                               threads,
                               Arguments(args.u.as<const S>(), args.out.as<S>(), C(args.s))}}};
  });
}

Plan plain(Backend&, const SmoothingArgs& args, const Config& config) {
  const Extent threads = block_of(config);
  return sweep("smoothing_plain", args, threads, 1, threads.z);
}

Plan column(Backend&, const SmoothingArgs& args, const Config& config) {
  return sweep("smoothing_column", args, block_of(config), config.whole("cells"), config.whole("cells"));
}

Plan planes(Backend&, const SmoothingArgs& args, const Config& config) {
  return sweep("smoothing_planes", args, block_of(config), config.whole("planes"), config.whole("planes"));
}

}  // namespace

Methods<SmoothingArgs> smoothing_cuda() {
  return {{"plain", block_space(), prepare_cuda<plain>},
          {.name = "column",
           .space = column_space(2),
           .prepare = prepare_cuda<column>,
           .preferred = always<SmoothingArgs>},
          {"planes", flat_block_space({{"planes", {8, 16, 32, 64}, 32, "planes that a block walks through"}}),
           prepare_cuda<planes>}};
}

}  // namespace cfdmark
