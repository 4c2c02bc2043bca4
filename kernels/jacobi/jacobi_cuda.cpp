#include "kernels/backends/cuda_blocks.hpp"
#include "kernels/jacobi/jacobi.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/jacobi/jacobi.cu";

// One launch of a function whose last template argument is `last`, with `cells` cells a thread.
Plan sweep(const char* name, const JacobiArgs& args, Extent threads, Extent cells, int last) {
  return with_operator(
      args.precision, args.a, args.grid, [&]<class S, class C, int dims, class A>(const A& a) {
        return Plan{
            .run = {Launch{{source, instance<S, C, A>(name, {dims, threads.x, threads.y, last})},
                           blocks_over(args.grid, threads, cells),
                           threads,
                           Arguments(a, args.u.as<const S>(), args.b.as<const S>(), args.out.as<S>())}}};
      });
}

Plan plain(Backend&, const JacobiArgs& args, const Config& config) {
  const Extent threads = block_of(config);
  return sweep("jacobi_plain", args, threads, {}, threads.z);
}

Plan column(Backend&, const JacobiArgs& args, const Config& config) {
  const int cells = config.whole("cells");
  return sweep("jacobi_column", args, block_of(config), column_of(cells, args.grid), cells);
}

}  // namespace

Methods<JacobiArgs> jacobi_cuda() {
  return {{"plain", block_space(), prepare_cuda<plain>},
          {.name = "column",
           .space = column_space(),
           .prepare = prepare_cuda<column>,
           .preferred = with_constant_operator<JacobiArgs>}};
}

}  // namespace cfdmark
