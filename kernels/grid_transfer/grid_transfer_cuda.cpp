#include "kernels/cells/cell.hpp"
#include "kernels/device/cuda/plan/cuda_blocks.hpp"
#include "kernels/grid_transfer/grid_transfer.hpp"

namespace cfdmark {
namespace {

Plan plain(Backend&, const GridTransferArgs& args, const Config& config) {
  const Extent t = block_of(config);
  const Grid g = args.written().grid;
  return with_transfer(args, [&]<class Body>(const Body& body) {
    return Plan{.run = {Launch{{"kernels/grid_transfer/grid_transfer.cu",
                                instance<Body>("grid_transfer", {compiled_for(t)})},
                               blocks_over(g, t),
                               t,
                               Arguments(body, Cells{g.nx, g.ny, g.nz})}}};
  });
}

}  // namespace

Methods<GridTransferArgs> grid_transfer_cuda() { return {{"plain", block_space(), prepare_cuda<plain>}}; }

}  // namespace cfdmark
