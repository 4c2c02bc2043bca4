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

// Calls f(rows, first, end) with rows of equal length: the shorter last row of a flat grid is a range of its
// own.
template <class F>
void in_equal_rows(const LoopRows& all, Index first, Index end, const F& f) {
  const Index whole = all.last < all.nx ? all.count() - 1 : all.count();
  if (first < whole) f(Grid{all.nx, all.ny, all.nz}, first, std::min(end, whole));
  if (end > whole) f(Grid{all.last, all.ny, all.nz}, whole, end);
}

// Applies the body to rows first .. end - 1. `alone`: no other thread is at work. A function of its own, in
// which `flatten` inlines the body: GCC 12 leaves a large body as a call within OpenMP's parallel loops.
// Kernel and fields are passed by value, so that no store can alias them.
template <class V, class K>
[[gnu::noinline, gnu::flatten]] void sweep_rows(const K kernel, const typename K::template Fields<V> fields,
                                                const Grid g, [[maybe_unused]] bool alone, Index first,
                                                Index end) {
  if constexpr (every_second_cell<K> && updates_one_field<K>)
    if (alone)
      return for_each_row(g, first, end,
                          [=](int j, int k) { sweep_row_alone<V>(kernel, fields, j, k, g.nx); });
  for_each_row(g, first, end, [=](int j, int k) { sweep_row<V>(kernel, fields, j, k, g.nx); });
}

// Stores the reduced results of rows first .. end - 1 at numbers[first] and after.
template <class V, class K>
[[gnu::noinline, gnu::flatten]] void reduce_rows(const K kernel, const typename K::template Fields<V> fields,
                                                 const Grid g, Index first, Index end, double* numbers) {
  const RowIndex at(g);
  for (Index row = first; row < end; ++row)
    numbers[row] = reduce_row<V>(kernel, fields, at.j(row), at.k(row), g.nx);
}

// Returns a step over all rows. Only the loops over rows are compiled for each combination of scalar types.
template <class K>
Step cells_by_rows(const CellArgs<K>& args, const HostRows& rows) {
  const LoopRows all(args.grid());
  if constexpr (is_reduction<K>) {
    using Range = std::function<void(const K&, Index first, Index end, double* numbers)>;
    const Range range = dispatch_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
      return Range([fields, all](const K& kernel, Index first, Index end, double* numbers) {
        in_equal_rows(all, first, end, [&](const Grid& equal, Index from, Index to) {
          reduce_rows<V>(kernel, fields, equal, from, to, numbers);
        });
      });
    });
    return joined_row_step<typename K::Reduction>(
        rows, all.count(), args.result, [range, kernel = args.kernel] {
          return [&range, ready = started(kernel)](Index first, Index end, double* numbers) {
            range(ready, first, end, numbers);
          };
        });
  } else {
    using Range = std::function<void(const K&, Index first, Index end)>;
    const Range range = dispatch_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
      return Range([fields, all, alone = rows.is_serial()](const K& kernel, Index first, Index end) {
        in_equal_rows(all, first, end, [&](const Grid& equal, Index from, Index to) {
          sweep_rows<V>(kernel, fields, equal, alone, from, to);
        });
      });
    });
    return row_step(rows, [rows, range, count = all.count(), parts = parts_of(args)] {
      for (const K& part : parts) {
        const K kernel = started(part);
        rows.ranges(count, [&](Index first, Index end) { range(kernel, first, end); });
      }
    });
  }
}

template <class K>
Methods<CellArgs<K>> cells_serial() {
  using Args = CellArgs<K>;
  return {{"plain", {}, [](Backend&, const Args& a, const Config&) { return cells_by_rows(a, HostRows()); }}};
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
