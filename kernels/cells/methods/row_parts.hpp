// Defines RowPartsOf<K>. Included by the file that the build writes for each kernel that reduces.
#pragma once

#include <utility>

#include "kernels/cells/cpu/row_parts_cpu.hpp"
#include "kernels/cells/cuda/brick_parts_cuda.hpp"

namespace cfdmark {

template <class K>
RowParts RowPartsOf<K>::make(const CellArgs<K>& args) {
  RowParts parts = row_parts_cpu(args);
  parts.complete = RowsOrBricks{std::move(parts.complete), [args] { return brick_parts_cuda(args); }};
  return parts;
}

}  // namespace cfdmark
