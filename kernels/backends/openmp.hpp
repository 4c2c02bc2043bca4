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
// {"threads": 1, 2, 4 .. all; all by default}
Parameter openmp_threads_parameter();

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

// {"schedule": 1 in turn, 2 dynamic, 3 guided; "chunk": rows that a thread takes at a time; "binding": where
// threads go that are fewer than the cores, 1 close to each other, 2 spread. Without OMP_PROC_BIND they are
// not bound at all.}
std::vector<Parameter> openmp_chunk_parameters();
// Tells the loops with schedule(runtime) that follow how to share their iterations out.
void set_openmp_schedule(int schedule, int chunk);

// Runs body(row) for each row, the rows in chunks: in turn to each thread, to whoever comes first, or guided,
// with chunks that shrink to this size.
struct OpenMPChunks {
  int threads, schedule, chunk, binding;
  template <class Body>
  void operator()(Index rows, const Body& body) const {
    set_openmp_schedule(schedule, chunk);
    if (binding == 1) {
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
