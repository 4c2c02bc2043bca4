// Copies of a field's cells to and from a contiguous vector on the host. Libraries know neither ghosts nor
// padding.
#pragma once

#include <algorithm>

#include "kernels/core/operator.hpp"
#include "kernels/device/cpu/cpu_rows.hpp"

namespace cfdmark {

// Calls f(row of the field, same row of a vector, number of cells) for each row.
template <class T, class F>
void for_each_dense_row(const HostRows& rows, const AnyView& field, const F& f) {
  const LoopRows loop(field.grid);
  const View<T> view = field.as<T>();
  rows(loop.count(), [&](Index row) {
    f(view.row(int(row % loop.ny), int(row / loop.ny)), row * loop.nx, loop.cells(row));
  });
}

template <class T>
void copy_to_dense(const HostRows& rows, const AnyView& field, T* vector) {
  for_each_dense_row<T>(
      rows, field, [&](const T* row, Index first, int cells) { std::copy_n(row, cells, vector + first); });
}
template <class T>
void copy_from_dense(const HostRows& rows, const T* vector, const AnyView& field) {
  for_each_dense_row<T>(rows, field,
                        [&](T* row, Index first, int cells) { std::copy_n(vector + first, cells, row); });
}

}  // namespace cfdmark
