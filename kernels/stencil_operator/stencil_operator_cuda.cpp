#include "kernels/backends/cuda_blocks.hpp"
#include "kernels/stencil_operator/stencil_operator.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/stencil_operator/stencil_operator.cu";

// One launch of a function whose last template argument is `last`, with `cells` cells a thread.
Plan sweep(const char* name, const StencilArgs& args, Extent threads, Extent cells, int last) {
  return with_operator(
      args.precision, args.a, args.grid, [&]<class S, class C, int dims, class A>(const A& a) {
        const bool residual = args.operation == StencilOperation::residual;
        const auto b = (residual ? args.b : args.u).template as<const S>();
        return Plan{
            .run = {Launch{{source, instance<S, C, A>(name, {dims, residual, threads.x, threads.y, last})},
                           blocks_over(args.grid, threads, cells),
                           threads,
                           Arguments(a, args.u.as<const S>(), b, args.out.as<S>())}}};
      });
}

Plan plain(Backend&, const StencilArgs& args, const Config& config) {
  const Extent threads = block_of(config);
  return sweep("stencil_plain", args, threads, {}, threads.z);
}

Plan column(Backend&, const StencilArgs& args, const Config& config) {
  const int cells = config.whole("cells");
  return sweep("stencil_column", args, block_of(config), column_of(cells, args.grid), cells);
}

}  // namespace

Methods<StencilArgs> stencil_cuda() {
  return {{"plain", block_space(), prepare_cuda<plain>},
          {.name = "column",
           .space = column_space(),
           .prepare = prepare_cuda<column>,
           .preferred = with_constant_operator<StencilArgs>}};
}

}  // namespace cfdmark
