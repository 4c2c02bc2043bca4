// A reduction in parts that ranks can continue: rows of a part of the domain, and pieces of rows. The parts
// joined in the order of the whole domain have the bits of one reduction over it.
#pragma once

#include <cstddef>
#include <functional>

#include "kernels/core/grid.hpp"

namespace cfdmark {

template <class K>
struct CellArgs;

// A reduction over the rows of a host's fields. A row is reduced in partial results, one for every
// reduction_lanes-th cell of the whole row (row_reduction.hpp), so that a rank can continue where the rank to
// its west has ended.
struct RowParts {
  Grid grid;                    // whose rows are reduced
  std::size_t state_bytes = 0;  // the partial results of a row; all zero before its first cell
  // Stores the results of complete rows at numbers[0] and after.
  std::function<void(double* numbers)> complete;
  // Adds the cells of rows first .. end - 1 to the partial results of each, which are in states[first] and
  // after, `state_bytes` apart. `column`: index of the first cell in its whole row.
  std::function<void(void* states, int column, Index first, Index end)> add;
  // Joins the partial results of rows first .. end - 1 to their results, at numbers[first] and after.
  std::function<void(const void* states, Index first, Index end, double* numbers)> finish;
  double (*join)(double, double) = nullptr;  // of the results of two rows
};

// A reduction and the address of its result, in the memory of the backend.
struct RowReduction {
  RowParts rows;
  double* result = nullptr;
};

// Instantiated for each kernel that reduces (cpu/row_parts_cpu.hpp).
template <class K>
struct RowPartsOf {
  // Returns the parts of a reduction on fields in the host's memory. The memory behind their views must
  // outlive them.
  static RowParts make(const CellArgs<K>&);
};

}  // namespace cfdmark
