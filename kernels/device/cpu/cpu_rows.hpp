// Shared parts of the row-wise kernels of serial and openmp.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "kernels/core/step.hpp"
#include "kernels/device/cpu/host_rows.hpp"

namespace cfdmark {

// Maps a row number to j and k. In 2-D it avoids the division, which costs as much as a short row.
struct RowIndex {
  int ny;
  explicit RowIndex(const Grid& g) : ny(g.ny) {}
  int j(Index row) const { return row < ny ? int(row) : int(row % ny); }
  int k(Index row) const { return row < ny ? 0 : int(row / ny); }
};
// Returns the number of rows of a grid.
inline Index rows_of(const Grid& g) { return Index(g.ny) * g.nz; }

// Calls f(j, k) for rows first .. end - 1, plane by plane: the compiler then advances its pointers from row
// to row instead of recomputing them, which matters for short rows.
template <class F>
[[gnu::always_inline]] inline void for_each_row(const Grid& g, Index first, Index end, const F& f) {
  const RowIndex at(g);
  while (first < end) {
    const int k = at.k(first), begin = at.j(first), stop = int(std::min<Index>(g.ny, begin + end - first));
    for (int j = begin; j < stop; ++j) f(j, k);
    first += stop - begin;
  }
}

// Returns a step that records the number of threads it uses.
inline Step row_step(const HostRows& rows, std::function<void()> run) {
  Step step;
  step.run = std::move(run);
  step.resources.threads = rows.threads();
  return step;
}

// Returns a step that reduces one number for each of `count` rows, in their order. `begin` is called when the
// step runs and returns a function of (first, end, numbers) that stores the numbers of rows first .. end - 1
// at numbers[first] and after.
template <class Op, class Begin>
Step joined_row_step(const HostRows& rows, Index count, double* result, Begin begin) {
  auto numbers = std::make_shared<std::vector<double>>(count);
  return row_step(rows, [=] {
    const auto store = begin();
    rows.ranges(Index(numbers->size()), [&](Index first, Index end) { store(first, end, numbers->data()); });
    double total = 0;
    for (double of_row : *numbers) total = Op::join(total, of_row);
    *result = total;
  });
}

// Return the distribution of rows that a config's settings say, and those settings.
inline HostRows serial_rows(const Config&) { return {}; }
inline HostRows openmp_rows(const Config& config) { return HostRows::shared_by(config.integer("threads")); }
TuningSpace openmp_space();
HostRows openmp_chunks(const Config&);
TuningSpace openmp_chunk_space();

}  // namespace cfdmark
