#include "kernels/device/cuda/plan/cuda_blocks.hpp"
#include "kernels/grid_transfer/part_coarsening.cuh"
#include "kernels/grid_transfer/part_coarsening.hpp"

namespace cfdmark {

Step coarsening_of_part_on_cuda(Backend& backend, const GridTransferArgs& args, const CellBox& coarse) {
  constexpr Extent threads = {64, 4, 1};
  const Grid cells(coarse.nx, coarse.ny, coarse.nz, args.fine_grid.dims);
  const CoarseBox box = {coarse.i, coarse.j, coarse.k, coarse.nx, coarse.ny, coarse.nz};
  return with_transfer(args, [&]<class Body>(const Body& body) {
    return static_cast<CudaBackend&>(backend).prepare(
        {.run = {Launch{{"kernels/grid_transfer/part_coarsening.cu",
                         instance<Body>("coarsen_part", {compiled_for(threads)})},
                        blocks_over(cells, threads),
                        threads,
                        Arguments(body, box)}}});
  });
}

}  // namespace cfdmark
