// Shared parts of the row-wise kernels of serial and openmp.
#pragma once

#include <memory>

#include "kernels/core/step.hpp"
#include "kernels/device/cpu/openmp.hpp"
#include "kernels/device/cpu/serial.hpp"

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

inline int threads_of(SerialRows) { return 1; }
inline int threads_of(OpenMPRows rows) { return rows.threads; }
inline int threads_of(OpenMPChunks chunks) { return chunks.threads; }

// Returns a step that records the number of threads it uses.
template <class Rows, class Run>
Step row_step(const Rows& rows, Run run) {
  Step step;
  step.run = std::move(run);
  step.resources.threads = threads_of(rows);
  return step;
}

// Returns a step that reduces one number per row, in order of rows. `begin` is called when the step runs and
// returns a function from row to number.
template <class Op, class Rows, class Begin>
Step joined_row_step(const Rows& rows, const Grid& grid, double* result, Begin begin) {
  auto numbers = std::make_shared<std::vector<double>>(rows_of(grid));
  return row_step(rows, [=] {
    const auto number = begin();
    rows(Index(numbers->size()), [&](Index row) { (*numbers)[row] = number(row); });
    double total = 0;
    for (double of_row : *numbers) total = Op::join(total, of_row);
    *result = total;
  });
}

inline OpenMPRows openmp_rows(const Config& config) { return {config.integer("threads")}; }
inline TuningSpace openmp_space() { return {{openmp_threads_setting()}}; }

inline OpenMPChunks openmp_chunks(const Config& config) {
  return {config.integer("threads"), openmp_schedule_from(config.choice("schedule")), config.integer("chunk"),
          config.is("binding", "close")};
}
inline TuningSpace openmp_chunk_space() {
  TuningSpace space{openmp_chunk_settings()};
  space.settings.insert(space.settings.begin(), openmp_threads_setting());
  return space;
}

}  // namespace cfdmark
