#include "kernels/device/cpu/host_rows.hpp"

#include <algorithm>

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace cfdmark {
namespace {

#if defined(_OPENMP)
// Sets the schedule of later loops with schedule(runtime) on this thread.
void set_schedule(OpenMPSchedule schedule, int chunk) {
  constexpr omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided};
  omp_set_schedule(kinds[int(schedule)], chunk);
}
#else
void set_schedule(OpenMPSchedule, int) {}
#endif

// Returns the first row of a share; the first shares have one row more if the rows do not divide evenly.
Index share_begin(Index rows, int shares, int share) {
  return rows / shares * share + std::min<Index>(rows % shares, share);
}

template <class Range>
void for_each_row_in_turn(Index rows, const Range& range) {
#pragma omp for schedule(runtime)
  for (Index row = 0; row < rows; ++row) range(row, row + 1);
}

}  // namespace

HostRows HostRows::shared_by(int threads) {
  HostRows rows;
  rows.kind_ = Kind::shares;
  rows.threads_ = threads;
  return rows;
}

HostRows HostRows::in_chunks(int threads, OpenMPSchedule schedule, int chunk, bool close) {
  HostRows rows;
  rows.kind_ = Kind::chunks;
  rows.threads_ = threads;
  rows.schedule_ = schedule;
  rows.chunk_ = chunk;
  rows.close_ = close;
  return rows;
}

void HostRows::run(Index rows, const void* body, Range range) const {
  if (kind_ == Kind::serial) return range(body, 0, rows);
  if (kind_ == Kind::shares) {
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (int share = 0; share < threads_; ++share) {
      const Index first = share_begin(rows, threads_, share), end = share_begin(rows, threads_, share + 1);
      if (first < end) range(body, first, end);
    }
    return;
  }
  set_schedule(schedule_, chunk_);
  const auto one_row = [&](Index first, Index end) { range(body, first, end); };
  if (close_) {
#pragma omp parallel num_threads(threads_) proc_bind(close)
    for_each_row_in_turn(rows, one_row);
  } else {
#pragma omp parallel num_threads(threads_) proc_bind(spread)
    for_each_row_in_turn(rows, one_row);
  }
}

}  // namespace cfdmark
