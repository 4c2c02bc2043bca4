// Ensures that a case runs on as many threads as its record states.
#pragma once

#include <string>

namespace cfdmark {

// Disables OMP_DYNAMIC, which may give fewer threads than requested on a busy machine. Must be called once,
// before the number of threads is queried.
void keep_thread_counts();

// Throws std::invalid_argument for unusable values of OMP_NUM_THREADS or KOKKOS_NUM_THREADS. OpenMP and
// Kokkos crash if they cannot start that many threads.
void check_thread_counts();
// Returns the error message for a variable's value; empty if it is usable.
std::string thread_count_complaint(const std::string& variable, const std::string& value, int processors);

// Returns the number of threads of a parallel region that requests this many.
int openmp_team_size(int requested);

}  // namespace cfdmark
