// y = A x, or the residual b - A x, with a sparse matrix in compressed rows (CSR). NVRTC reads this file, so
// it includes no standard header.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// The rows of a matrix in a backend's memory. S: stored type of its values and of the vectors.
template <class S>
struct CsrRows {
  int rows = 0;
  const int* row_begin = nullptr;  // first entry of each row, then the number of entries
  const int* column = nullptr;
  const S* value = nullptr;

  // Returns the sum over every `step`-th entry of a row, from entry number `first` of the row on. C:
  // arithmetic type.
  template <class C>
  CFDMARK_FUNCTION C product(int row, const S* x, int first = 0, int step = 1) const {
    C sum = 0;
    for (int at = row_begin[row] + first; at < row_begin[row + 1]; at += step)
      sum = multiply_add(C(value[at]), C(x[column[at]]), sum);
    return sum;
  }
};

// Matrices whose rows have fewer entries on average are read as a stream by a block of CUDA (csr_apply.cu).
inline constexpr int short_row = 32;

// The vectors of one product: y = A x if b is null, else y = b - A x.
template <class S>
struct CsrVectors {
  const S* x = nullptr;
  const S* b = nullptr;
  S* y = nullptr;

  template <class C>
  CFDMARK_FUNCTION void store(int row, C product) const {
    y[row] = S(b ? C(b[row]) - product : product);
  }
};

}  // namespace cfdmark
