// Columns of a sparse matrix in 16 bits (NearColumns of csr_apply.hpp), made on the host.
#pragma once

#include <span>
#include <vector>

#include "kernels/csr_apply/csr_apply.hpp"

namespace cfdmark {

struct HostNearColumns {
  std::vector<unsigned short> code;  // per entry
  std::vector<int> first_far;        // per group of rows
  std::vector<int> far;              // columns; each group's ascend
};

// Returns the codes of the columns of a matrix in rows. Throws std::invalid_argument if a group of rows has
// more than NearColumns::far_codes different columns far away.
HostNearColumns near_columns(std::span<const int> row_begin, std::span<const int> column);

}  // namespace cfdmark
