#include "kernels/cells/cell_kernel.hpp"
#include "kernels/device/cuda/plan/cuda_blocks.hpp"
#include "kernels/smoothing/smoothing.hpp"

namespace cfdmark {
namespace {

Plan planes(Backend&, const CellArgs<Smoothing>& args, const Config& config) {
  const Extent threads = block_of(config);
  const int planes = config.integer("planes");
  return with_types(args.precision, [&]<class S, class C>() {
    return Plan{
        .run = {Launch{{"kernels/smoothing/smoothing.cu",
                        instance<S, C>("smoothing_planes", {threads.x, threads.y, planes})},
                       blocks_over(args.grid(), threads, {1, 1, planes}),
                       threads,
                       Arguments(args.fields.u.as<const S>(), args.fields.out.as<S>(), C(args.kernel.s))}}};
  });
}

}  // namespace

Methods<CellArgs<Smoothing>> smoothing_cuda() {
  return {{"planes", flat_block_space({{"planes", {8, 16, 32, 64}, 32, "planes per block"}}),
           prepare_cuda<planes>}};
}

}  // namespace cfdmark
