// The operator as a CSR matrix on the host, in the form that libraries take.
//
// Unknowns are the interior cells, x fastest. Columns of a row ascend: bottom, south, west, centre, east,
// north, top. Neighbours in the ghost layer have no column; their terms belong to the right-hand side:
// (matrix) u = b + sum of a_neighbour u_neighbour over the ghosts. A residual that is computed with the
// ghosts in place already contains these terms.
#pragma once

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/core/operator.hpp"

namespace cfdmark {

template <class T>
struct CsrMatrix {
  std::vector<int> row_begin;  // first entry of each row, then the number of entries; rows + 1 values
  std::vector<int> column;
  std::vector<T> value;

  int rows() const { return int(row_begin.size()) - 1; }
  int entries() const { return row_begin.back(); }
  bool operator==(const CsrMatrix&) const = default;
};

// Returns the diagonal; 0 in a row without such an entry.
template <class T>
std::vector<T> diagonal_of(const CsrMatrix<T>& a) {
  std::vector<T> diagonal(a.rows());
#pragma omp parallel for schedule(static)
  for (int row = 0; row < a.rows(); ++row)
    for (int at = a.row_begin[row]; at < a.row_begin[row + 1]; ++at)
      if (a.column[at] == row) diagonal[row] += a.value[at];
  return diagonal;
}

// Returns the number of matrix entries: one per cell plus two per pair of neighbours.
inline Index csr_entries(const Grid& g) {
  const Index nx = g.nx, ny = g.ny, nz = g.nz;
  return g.cells() + 2 * ((nx - 1) * ny * nz + nx * (ny - 1) * nz + nx * ny * (nz - 1));
}

// Returns the bytes of a matrix: values, columns and row begins.
inline double csr_bytes(Index rows, Index entries, std::size_t value_bytes) {
  return double(entries) * double(value_bytes + sizeof(int)) + double(rows + 1) * sizeof(int);
}
inline double csr_bytes(const Grid& g, std::size_t value_bytes) {
  return csr_bytes(g.cells(), csr_entries(g), value_bytes);
}

// Returns true if 32-bit integers can count the entries.
inline bool csr_fits(const Grid& g) { return csr_entries(g) <= std::numeric_limits<int>::max(); }

// Calls f(row, i, j, k) for each cell, in parallel on all cores.
template <class F>
void for_each_matrix_row(const Grid& g, const F& f) {
#pragma omp parallel for collapse(2) schedule(static)
  for (int k = 0; k < g.nz; ++k)
    for (int j = 0; j < g.ny; ++j)
      for (int i = 0; i < g.nx; ++i) f((k * g.ny + j) * g.nx + i, i, j, k);
}

// Returns the matrix with ascending columns in each row and the entries of one place summed, as libraries
// require it.
template <class T>
CsrMatrix<T> with_sorted_rows(CsrMatrix<T> a) {
  int kept = 0, begin = 0;
  std::vector<std::pair<int, T>> entries;
  for (int row = 0; row < a.rows(); ++row) {
    const int end = a.row_begin[row + 1];
    entries.clear();
    for (int at = begin; at < end; ++at) entries.emplace_back(a.column[at], a.value[at]);
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& one, const auto& other) { return one.first < other.first; });
    begin = end;
    const int first = kept;
    for (const auto& [column, value] : entries)
      if (kept > first && a.column[kept - 1] == column)
        a.value[kept - 1] += value;
      else
        a.column[kept] = column, a.value[kept++] = value;
    a.row_begin[row + 1] = kept;
  }
  a.column.resize(kept), a.value.resize(kept);
  return a;
}

namespace csr_detail {

// Coefficients of one cell in the order of a row: bottom, south, west, centre, east, north, top.
template <class T>
struct RowValues {
  T value[7];
  RowValues(const ConstantStencil<T>& a) : value{-a.wz, -a.wy, -a.wx, a.centre, -a.wx, -a.wy, -a.wz} {}
  RowValues(const CellStencil<T>& a)
      : value{-a.bottom, -a.south, -a.west, a.centre, -a.east, -a.north, -a.top} {}
};

// Which of the seven entries lie inside the grid.
struct RowPattern {
  bool inside[7];
  RowPattern(const Grid& g, int i, int j, int k)
      : inside{k > 0, j > 0, i > 0, true, i + 1 < g.nx, j + 1 < g.ny, k + 1 < g.nz} {}
  int entries() const {
    int n = 0;
    for (bool is_inside : inside) n += is_inside;
    return n;
  }
};

inline std::vector<int> row_begins(const Grid& g) {
  std::vector<int> begin(g.cells() + 1);
  for_each_matrix_row(
      g, [&](int row, int i, int j, int k) { begin[row + 1] = RowPattern(g, i, j, k).entries(); });
  for (std::size_t row = 1; row < begin.size(); ++row) begin[row] += begin[row - 1];
  return begin;
}

template <int dims, class T, class A>
CsrMatrix<T> assemble(const Grid& g, const A& a) {
  CsrMatrix<T> matrix{row_begins(g), {}, {}};
  matrix.column.resize(matrix.entries());
  matrix.value.resize(matrix.entries());
  const int plane = g.nx * g.ny;
  const int distance[7] = {-plane, -g.nx, -1, 0, 1, g.nx, plane};
  for_each_matrix_row(g, [&](int row, int i, int j, int k) {
    const RowPattern pattern(g, i, j, k);
    const RowValues<T> values(a.template at<dims>(i, j, k));
    int at = matrix.row_begin[row];
    for (int n = 0; n < 7; ++n)
      if (pattern.inside[n]) {
        matrix.column[at] = row + distance[n];
        matrix.value[at++] = values.value[n];
      }
  });
  return matrix;
}

}  // namespace csr_detail

// Returns the matrix with values of type T. The operator's arrays must lie on the host. Throws
// std::length_error unless csr_fits(g).
template <class T>
CsrMatrix<T> assemble_csr(const Grid& g, const Operator& a) {
  if (!csr_fits(g)) throw std::length_error("the matrix has more entries than 32-bit integers can count");
  if (a.constant)
    return g.is_3d() ? csr_detail::assemble<3, T>(g, a.as_constant<T>())
                     : csr_detail::assemble<2, T>(g, a.as_constant<T>());
  const auto arrays = a.as_arrays<T, T>();
  return g.is_3d() ? csr_detail::assemble<3, T>(g, arrays) : csr_detail::assemble<2, T>(g, arrays);
}

}  // namespace cfdmark
