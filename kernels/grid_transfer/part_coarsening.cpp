#include "kernels/grid_transfer/part_coarsening.hpp"

#include <stdexcept>

#include "kernels/device/built.hpp"

namespace cfdmark {

Step coarsening_of_part(Backend& backend, const GridTransferArgs& args, const CellBox& coarse) {
  if constexpr (built_with_cuda)
    if (backend.kind() == BackendKind::cuda) return coarsening_of_part_on_cuda(backend, args, coarse);
  if (!backend.host_accessible()) throw std::logic_error("this backend coarsens no parts of operators");
  Step step;
  step.run = [args, coarse] {
    with_transfer(args, [&](const auto& body) {
      for (int k = coarse.k; k < coarse.k + coarse.nz; ++k)
        for (int j = coarse.j; j < coarse.j + coarse.ny; ++j)
          for (int i = coarse.i; i < coarse.i + coarse.nx; ++i) body(i, j, k);
    });
  };
  return step;
}

}  // namespace cfdmark
