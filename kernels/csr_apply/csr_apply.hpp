// y = A x, or the residual b - A x, with a sparse matrix in compressed rows (CSR). NVRTC reads this file, so
// it includes no standard header.
#pragma once

#include "kernels/core/portability.hpp"

namespace cfdmark {

// Columns of the entries as 32-bit numbers.
struct FullColumns {
  struct Group {
    CFDMARK_FUNCTION int column(int stored_column) const { return stored_column; }
  };
  const int* stored = nullptr;

  CFDMARK_FUNCTION Group group_of(int /*row*/) const { return {}; }
};

// Columns of the entries in 16 bits, by groups of rows. A code below `near_codes` is the difference from the
// first of `near_codes` columns around the group; the others number the columns that are farther away, which
// a list has in full, each once a group (near_columns.hpp makes them).
struct NearColumns {
  static constexpr int group = 256;  // rows
  static constexpr int far_codes = 8192, near_codes = 65536 - far_codes;

  const unsigned short* stored = nullptr;  // codes
  const int* first_far = nullptr;          // of each group, in `far`
  const int* far = nullptr;

  // Decodes the columns of a group. It is loaded once for a block, so that only far columns cost a second
  // load.
  struct Group {
    int first_near;
    const int* far;

    CFDMARK_FUNCTION int column(int code) const {
      return code < near_codes ? first_near + code : far[code - near_codes];
    }
  };

  // Returns the column with code 0, which may be negative.
  CFDMARK_FUNCTION static int first_near(int row) { return row / group * group + group / 2 - near_codes / 2; }
  CFDMARK_FUNCTION Group group_of(int row) const { return {first_near(row), far + first_far[row / group]}; }
};

// The rows of a matrix in a backend's memory. V: stored type of its values.
template <class V, class Columns>
struct CsrRows {
  using Value = V;
  int rows = 0;
  const int* row_begin = nullptr;  // first entry of each row, then the number of entries
  Columns columns;
  const V* value = nullptr;

  // Returns the sum over every `step`-th entry of a row, from entry number `first` of the row on. C:
  // arithmetic type. S: stored type of the vector.
  template <class C, class S>
  CFDMARK_FUNCTION C product(int row, const S* x, int first = 0, int step = 1) const {
    C sum = 0;
    const auto group = columns.group_of(row);
    for (int at = row_begin[row] + first; at < row_begin[row + 1]; at += step)
      sum = multiply_add(C(value[at]), C(x[group.column(columns.stored[at])]), sum);
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
