// Distribution of rows over threads of the host.
#pragma once

#include "kernels/core/grid.hpp"
#include "kernels/device/cpu/openmp.hpp"

namespace cfdmark {

// Runs a loop over rows on one thread or several. It is one type for all backends and schedules, so that the
// loops of a kernel are compiled once per scalar types and not once per schedule.
class HostRows {
 public:
  // One thread, in order.
  HostRows() = default;
  // Equal consecutive shares, as in OpenMP's static schedule: threads work on rows that they touched first.
  static HostRows shared_by(int threads);
  // Chunks of rows: round-robin (static), first come first served (dynamic), or shrinking to `chunk` rows
  // (guided). `close`: binds threads to neighbouring cores if there are fewer threads than cores.
  static HostRows in_chunks(int threads, OpenMPSchedule, int chunk, bool close);

  int threads() const { return threads_; }
  // Returns true if the rows run on the calling thread alone.
  bool is_serial() const { return kind_ == Kind::serial; }

  // Calls body(first, end) for ranges of rows that together are 0 .. rows - 1. Each range is on one thread.
  template <class Body>
  void ranges(Index rows, const Body& body) const {
    run(rows, &body,
        [](const void* range, Index first, Index end) { (*static_cast<const Body*>(range))(first, end); });
  }
  // Calls body(row) for each row.
  template <class Body>
  void operator()(Index rows, const Body& body) const {
    ranges(rows, [&](Index first, Index end) {
      for (Index row = first; row < end; ++row) body(row);
    });
  }

 private:
  enum class Kind { serial, shares, chunks };
  using Range = void (*)(const void* body, Index first, Index end);
  void run(Index rows, const void* body, Range) const;

  Kind kind_ = Kind::serial;
  int threads_ = 1;
  OpenMPSchedule schedule_ = OpenMPSchedule::in_turn;
  int chunk_ = 1;
  bool close_ = true;
};

}  // namespace cfdmark
