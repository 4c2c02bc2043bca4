// The generated methods of serial and openmp for kernels with a cell body (cells/cell.hpp).
#pragma once

#include "kernels/cells/cell_kernel.hpp"
#include "kernels/cells/row_reduction.hpp"
#include "kernels/device/cpu/cpu_rows.hpp"
#include "kernels/device/cpu/row_stencil.hpp"

namespace cfdmark {

// Applies the body to a row. Everything is inlined and all row invariants are passed by value: otherwise the
// compiler does not vectorise the loop.
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

// Reads around a cell in memory and assigns the new value elsewhere.
template <class S, class C>
struct NeighboursAndPlace {
  const S* cell;
  Index pitch, plane;
  S* to;
  C operator()(int di, int dj, int dk = 0) const { return C(cell[di + dj * pitch + dk * plane]); }
  void operator=(C value) const { *to = S(value); }
};

// Maps views to the values at cell (i, j, k); the updated field's new value is stored at `place`.
template <class V>
struct ToCellAndPlace {
  using S = typename V::Stored;
  using C = typename V::Number;
  using Form = AtCell<S, C, V::dims, CellCoefficients<V>, Neighbours<const S, C>, NeighboursAndPlace<S, C>>;
  ToCell<V> cell;
  S* place;

  template <class Field>
  auto operator()(const Field& field) const {
    return cell(field);
  }
  NeighboursAndPlace<S, C> operator()(const RoleView<Role::stencil_in_out, S>& v) const {
    return {&v(cell.i, cell.j, cell.k), v.pitch, v.plane, place};
  }
};

template <class K>
inline constexpr bool updates_one_field = fields_of_role<K, Role::stencil_in_out> == 1 &&
                                          fields_of_role<K, Role::in_out> + fields_of_role<K, Role::out> == 0;

// The same while no other thread writes to neighbouring rows. For passes over every second cell it computes
// all cells and discards those between: contiguous loads are faster than gathers. Discarded cells read cells
// of the pass's own colour, which no other thread may be writing.
template <class V, class K>
[[gnu::always_inline, gnu::flatten]] inline void sweep_row_alone(const K kernel,
                                                                 const typename K::template Fields<V> fields,
                                                                 int j, int k, int nx) {
  if constexpr (every_second_cell<K> && updates_one_field<K>) {
    constexpr int cells = 16;
    int i = kernel.first(j, k);
    for (; i + cells <= nx; i += cells) {
      typename V::Stored made[cells];
      CFDMARK_INDEPENDENT_ITERATIONS
      for (int n = 0; n < cells; ++n)
        kernel(
            mapped<K, typename ToCellAndPlace<V>::Form>(fields, ToCellAndPlace<V>{{i + n, j, k}, made + n}));
      for_each_field<K>(fields, [&](const auto& field) {
        if constexpr (std::is_same_v<std::decay_t<decltype(field)>, typename V::StencilInOut>)
          for (int n = 0; n < cells; n += 2) field(i + n, j, k) = made[n];
      });
    }
    CFDMARK_INDEPENDENT_ITERATIONS
    for (; i < nx; i += 2) sweep_cell<V>(kernel, fields, i, j, k);
  } else {
    sweep_row<V>(kernel, fields, j, k, nx);
  }
}

// A separate function in which `flatten` inlines the body. Without it GCC 12 leaves a large body as a call
// within OpenMP's parallel loops.
template <class V, class K>
[[gnu::noinline, gnu::flatten]] void sweep_row_by_call(const K& kernel,
                                                       const typename K::template Fields<V>& fields, int j,
                                                       int k, int nx) {
  sweep_row<V>(kernel, fields, j, k, nx);
}
// True for kernels whose work per row outweighs the call.
template <class K>
inline constexpr bool has_large_cell = has_neighbours<K>&& field_count<K> >= 6;

// `alone`: this is the only thread at work.
template <class V, bool alone, class K>
[[gnu::always_inline]] inline void sweep_any_row(const K& kernel,
                                                 const typename K::template Fields<V>& fields, int j, int k,
                                                 int nx) {
  if constexpr (has_large_cell<K>)
    sweep_row_by_call<V>(kernel, fields, j, k, nx);
  else if constexpr (alone)
    sweep_row_alone<V>(kernel, fields, j, k, nx);
  else
    sweep_row<V>(kernel, fields, j, k, nx);
}

// Returns a step over all rows. Rows: SerialRows, OpenMPRows or OpenMPChunks.
template <class K, class Rows>
Step cells_by_rows(const CellArgs<K>& args, const Rows& rows) {
  [[maybe_unused]] constexpr bool alone = std::is_same_v<Rows, SerialRows>;
  return dispatch_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    if constexpr (is_reduction<K>)
      return joined_row_step<typename K::Reduction>(
          rows, args.grid(), args.result, [fields, grid = args.grid(), kernel = args.kernel] {
            return [fields, grid, ready = started(kernel)](Index row) {
              const RowIndex at(grid);
              return reduce_row<V>(ready, fields, at.j(row), at.k(row), grid.nx);
            };
          });
    else
      return row_step(rows, [rows, fields, grid = args.grid(), parts = parts_of(args)] {
        for (const K& part : parts) {
          const K kernel = started(part);
          // A single thread runs plane by plane: the compiler then advances its pointers from row to row
          // instead of recomputing them, which matters for short rows.
          if constexpr (alone && !every_second_cell<K>) {
            for (int k = 0; k < grid.nz; ++k)
              rows(grid.ny, [=](Index j) { sweep_any_row<V, alone>(kernel, fields, int(j), k, grid.nx); });
          } else {
            rows(rows_of(grid), [=](Index row) {
              const RowIndex at(grid);
              sweep_any_row<V, alone>(kernel, fields, at.j(row), at.k(row), grid.nx);
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

// Returns no method for kernels in which each cell waits for the one before it.
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
