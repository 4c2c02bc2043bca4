// The host's threads through OpenMP.
#pragma once

#include <string>
#include <vector>

#include "kernels/core/config.hpp"
#include "kernels/device/cpu/host_backend.hpp"

namespace cfdmark {

// Returns why OpenMP cannot run here, or an empty string.
std::string openmp_unavailable();
Backend& openmp_backend();
// Returns the default number of threads of a parallel region.
int openmp_max_threads();
// Returns the setting `threads`: searched over 1, 2, 4 .. all; default all.
Setting openmp_threads_setting();

// Runs body(row) for each row with a static schedule, so that threads work on rows that they touched first.
struct OpenMPRows {
  int threads;
  template <class Body>
  void operator()(Index rows, const Body& body) const {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (Index row = 0; row < rows; ++row) body(row);
  }
};

// Returns the settings schedule, chunk and binding. Without OMP_PROC_BIND threads are not bound.
std::vector<Setting> openmp_chunk_settings();

enum class OpenMPSchedule { in_turn, dynamic, guided };  // in_turn is OpenMP's static, a C++ keyword
OpenMPSchedule openmp_schedule_from(std::string_view word);
// Sets the schedule of later loops with schedule(runtime) on this thread.
void set_openmp_schedule(OpenMPSchedule, int chunk);

// Runs body(row) for each row in chunks of rows: round-robin (static), first come first served (dynamic), or
// with chunks that shrink to this size (guided).
struct OpenMPChunks {
  int threads;
  OpenMPSchedule schedule;
  int chunk;
  bool close;  // binds threads to neighbouring cores if there are fewer threads than cores
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
