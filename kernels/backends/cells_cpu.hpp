// The plain methods of serial and openmp for kernels that say what they do with a cell (core/cell.hpp).
#pragma once

#include "kernels/backends/cell_kernel.hpp"
#include "kernels/backends/cpu_rows.hpp"
#include "kernels/backends/row_reduction.hpp"
#include "kernels/backends/row_stencil.hpp"

namespace cfdmark {

// Everything inlined, and copies of all that stays the same along the row: else there are no vectors.
template <class V, class K>
[[gnu::always_inline, gnu::flatten]] inline void sweep_row(const K kernel,
                                                           const typename K::template Fields<V> fields, int j,
                                                           int k, int nx) {
  if constexpr (in_order<K>) {
    for (int i = 0; i < nx; ++i) sweep_cell<V>(kernel, fields, i, j, k);
  } else if constexpr (every_second_cell<K>) {
    CFDMARK_INDEPENDENT_ITERATIONS
    for (int i = kernel.first(j, k); i < nx; i += 2) sweep_cell<V>(kernel, fields, i, j, k);
  } else {
    CFDMARK_INDEPENDENT_ITERATIONS
    for (int i = 0; i < nx; ++i) sweep_cell<V>(kernel, fields, i, j, k);
  }
}

template <class K, class Rows>
Step cells_by_rows(const CellArgs<K>& args, const Rows& rows) {
  return with_views(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    if constexpr (joins<K>)
      return joined_row_step<typename K::JoinedBy>(
          rows, args.grid(), args.result, [fields, grid = args.grid(), kernel = args.kernel] {
            return [fields, grid, ready = started(kernel)](Index row) {
              const RowIndex at(grid);
              return join_row<V>(ready, fields, at.j(row), at.k(row), grid.nx);
            };
          });
    else
      return row_step(rows, [rows, fields, grid = args.grid(), parts = parts_of(args)] {
        for (const K& part : parts) {
          const K kernel = started(part);
          // One thread goes plane by plane: the compiler then steps its pointers from row to row, which made
          // Jacobi in 32 bits 8 % faster at 129 x 129. A sweep over every second cell gained nothing.
          if constexpr (std::is_same_v<Rows, SerialRows> && !every_second_cell<K>) {
            for (int k = 0; k < grid.nz; ++k)
              rows(grid.ny, [=](Index j) { sweep_row<V>(kernel, fields, int(j), k, grid.nx); });
          } else {
            rows(rows_of(grid), [=](Index row) {
              const RowIndex at(grid);
              sweep_row<V>(kernel, fields, at.j(row), at.k(row), grid.nx);
            });
          }
        }
      });
  });
}

template <class K>
Methods<CellArgs<K>> cells_serial() {
  using Args = CellArgs<K>;
  return {
      {"plain", {}, [](Backend&, const Args& a, const Config&) { return cells_by_rows(a, SerialRows{}); }}};
}

// None where each cell waits for the one before it.
template <class K>
Methods<CellArgs<K>> cells_openmp() {
  using Args = CellArgs<K>;
  if constexpr (in_order<K>)
    return {};
  else
    return {{"plain", openmp_space(),
             [](Backend&, const Args& a, const Config& c) { return cells_by_rows(a, openmp_rows(c)); }},
            {"chunked", openmp_chunk_space(),
             [](Backend&, const Args& a, const Config& c) { return cells_by_rows(a, openmp_chunks(c)); }}};
}

}  // namespace cfdmark
