// A reduction on CUDA in bricks that ranks can share: bands of rows of the whole domain that no cut divides.
// The joined bricks have bits that depend on the domain alone, not on the number of ranks.
#pragma once

#include <functional>

#include "kernels/cells/row_parts.hpp"
#include "kernels/device/cuda/plan/cuda_plan.hpp"

namespace cfdmark {

// Rows of a brick, counted along y and then z.
inline constexpr int rows_of_a_brick = 8;

struct BrickParts {
  int results_of_a_brick = 1;
  // Returns the launch that stores the results of each brick of a rank's cells, in order.
  std::function<Launch(double* numbers)> reduce;
  // Returns the launch that joins `count` results in order.
  std::function<Launch(const double* numbers, int count, double* result)> join;
};

// RowParts::complete of a kernel: reduces rows in the memory of the host, and knows the same reduction in
// bricks for fields in that of a CUDA device.
struct RowsOrBricks {
  std::function<void(double*)> rows;
  std::function<BrickParts()> bricks;

  void operator()(double* numbers) const { rows(numbers); }
};
// Returns the reduction in bricks. Throws std::logic_error for parts that know none.
BrickParts bricks_of(const RowParts&);

}  // namespace cfdmark
