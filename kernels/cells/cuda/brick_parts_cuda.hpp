// Reductions of kernels with a cell body in bricks, on CUDA.
#pragma once

#include <stdexcept>

#include "kernels/cells/cuda/brick_parts.hpp"
#include "kernels/cells/cuda/cells_cuda.hpp"
#include "kernels/device/built.hpp"

namespace cfdmark {

// Returns the parts of a reduction on fields of a device. The memory behind their views must outlive them.
template <class K>
BrickParts brick_parts_cuda(const CellArgs<K>& args) {
  if constexpr (is_reduction<K> && built_with_cuda) {
    constexpr int row_threads = 64, joining = 256;
    const std::string source = cells_source(K::description().described_at);
    const DeviceFields fields = device_fields(args);
    const Grid g = args.grid();
    const Cells cells{g.nx, g.ny, g.nz};
    const K kernel = args.kernel;
    BrickParts made;
    // A block for each brick, so that no block takes a second one.
    made.reduce = [=](double* numbers) {
      const Index rows = Index(g.ny) * g.nz;
      return Launch{{source, instance("cells_joined", {&typeid(K), fields.views, &typeid(Cells)},
                                      {row_threads, rows_of_a_brick, 1})},
                    {int((rows + rows_of_a_brick - 1) / rows_of_a_brick)},
                    {row_threads, rows_of_a_brick},
                    Arguments(kernel, fields.fields, cells, numbers)};
    };
    made.join = [=](const double* numbers, int count, double* result) {
      return Launch{{source, instance<K>("join_results", {joining})},
                    {1},
                    {joining},
                    Arguments(numbers, count, result)};
    };
    return made;
  } else {
    throw std::logic_error("this program has no reductions on cuda");
  }
}

}  // namespace cfdmark
