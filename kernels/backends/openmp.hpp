// All threads of the host, through OpenMP.
#pragma once

#include <string>
#include <vector>

#include "kernels/backends/host_backend.hpp"
#include "kernels/core/config.hpp"

namespace cfdmark {

std::string openmp_unavailable();
Backend& openmp_backend();
// Threads that a parallel region gets when nothing is said.
int openmp_max_threads();
// 1, 2, 4 .. all; all by default.
Setting openmp_threads_setting();

// Runs body(row) for each row with a static schedule, so that a thread always meets the rows it first
// touched.
struct OpenMPRows {
  int threads;
  template <class Body>
  void operator()(Index rows, const Body& body) const {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (Index row = 0; row < rows; ++row) body(row);
  }
};

// schedule, chunk and binding. Without OMP_PROC_BIND threads are not bound at all.
std::vector<Setting> openmp_chunk_settings();

enum class OpenMPSchedule { in_turn, dynamic, guided };  // `static` is a word of C++
OpenMPSchedule openmp_schedule_from(std::string_view word);
// Tells the loops with schedule(runtime) that follow how to share their iterations out.
void set_openmp_schedule(OpenMPSchedule, int chunk);

// Runs body(row) for each row, the rows in chunks: in turn to each thread, to whoever comes first, or guided,
// with chunks that shrink to this size.
struct OpenMPChunks {
  int threads;
  OpenMPSchedule schedule;
  int chunk;
  bool close;  // threads that are fewer than the cores are bound to neighbours
  template <class Body>
  void operator()(Index rows, const Body& body) const {
    set_openmp_schedule(schedule, chunk);
    if (close) {
#pragma omp parallel num_threads(threads) proc_bind(close)
      share(rows, body);
    } else {
#pragma omp parallel num_threads(threads) proc_bind(spread)
      share(rows, body);
    }
  }

 private:
  template <class Body>
  static void share(Index rows, const Body& body) {
#pragma omp for schedule(runtime)
    for (Index row = 0; row < rows; ++row) body(row);
  }
};

}  // namespace cfdmark
