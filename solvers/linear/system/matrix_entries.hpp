// A sparse matrix as a list of entries in any order, the form in which files and discretisations give it.
#pragma once

#include "solvers/linear/system/csr.hpp"

namespace cfdmark {

struct MatrixEntry {
  int row, column;
  double value;
};

// Returns the matrix of entries in rows 0 .. rows - 1, with ascending columns in each row. Entries of one
// place are summed in their order.
inline CsrMatrix<double> csr_of(int rows, const std::vector<MatrixEntry>& entries) {
  CsrMatrix<double> a{std::vector<int>(std::size_t(rows) + 1), std::vector<int>(entries.size()),
                      std::vector<double>(entries.size())};
  for (const MatrixEntry& entry : entries) ++a.row_begin[entry.row + 1];
  for (int row = 0; row < rows; ++row) a.row_begin[row + 1] += a.row_begin[row];
  std::vector<int> next(a.row_begin.begin(), a.row_begin.end() - 1);
  for (const MatrixEntry& entry : entries) {
    const int at = next[entry.row]++;
    a.column[at] = entry.column, a.value[at] = entry.value;
  }
  return with_sorted_rows(std::move(a));
}

}  // namespace cfdmark
