// Defines RowPartsOf<K>. Included by the file that the build writes for each kernel that reduces.
#pragma once

#include <cstring>

#include "kernels/cells/cpu/cells_cpu.hpp"
#include "kernels/cells/row_parts.hpp"

namespace cfdmark {

// Adds a row of nx cells to the partial results of its whole row: cell i to number (column + i) mod
// reduction_lanes. The additions are those of reduce_values, in the same order for each partial result.
template <class V, class K>
[[gnu::noinline, gnu::flatten]] void add_row(const K kernel, const typename K::template Fields<V> fields,
                                             int j, int k, int nx, int column, typename V::Number* state) {
  using Op = typename K::Reduction;
  using C = typename V::Number;
  constexpr int lanes = reduction_lanes;
  const auto value = [&](int i) { return sweep_cell<V>(kernel, fields, i, j, k); };
  C running[lanes];
  for (int lane = 0; lane < lanes; ++lane) running[lane] = state[(lane + column) % lanes];
  int i = 0;
  for (; i + lanes <= nx; i += lanes) add_cells<Op, lanes>(running, value, i);
  for (int lane = 0; i < nx; ++i, ++lane) running[lane] = with_cell<Op>(running[lane], value, i);
  for (int lane = 0; lane < lanes; ++lane) state[(lane + column) % lanes] = running[lane];
}

// Returns the parts of a reduction on fields in the memory of the host.
template <class K>
RowParts row_parts_cpu(const CellArgs<K>& args) {
  if constexpr (is_reduction<K>) {
    using Op = typename K::Reduction;
    const Grid g = args.grid();
    return dispatch_types(args, [&]<class V>(const typename K::template Fields<V>& fields) -> RowParts {
      using C = typename V::Number;
      constexpr Index lanes = reduction_lanes;
      const K kernel = args.kernel;
      RowParts made;
      made.grid = g;
      made.state_bytes = lanes * sizeof(C);
      made.complete = [=](double* numbers) {
        reduce_rows<V>(started(kernel), fields, g, 0, rows_of(g), numbers);
      };
      made.add = [=](void* states, int column, Index first, Index end) {
        const K ready = started(kernel);
        const RowIndex at(g);
        for (Index row = first; row < end; ++row)
          add_row<V>(ready, fields, at.j(row), at.k(row), g.nx, column,
                     static_cast<C*>(states) + row * lanes);
      };
      made.finish = [](const void* states, Index first, Index end, double* numbers) {
        for (Index row = first; row < end; ++row) {
          const C* const state = static_cast<const C*>(states) + row * lanes;
          numbers[row] = 0;
          for (Index lane = 0; lane < lanes; ++lane)
            numbers[row] = Op::join(numbers[row], double(state[lane]));
        }
      };
      made.join = [](double a, double b) { return Op::join(a, b); };
      return made;
    });
  } else {
    return {};
  }
}

}  // namespace cfdmark
