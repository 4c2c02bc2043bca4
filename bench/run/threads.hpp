// Makes sure that a case runs on as many threads as its record says.
#pragma once

#include <string>

namespace cfdmark {

// Switches off OMP_DYNAMIC, by which OpenMP would give fewer threads than requested on a busy machine. Called
// once, before anything asks how many threads there are.
void keep_thread_counts();

// Throws std::invalid_argument if OMP_NUM_THREADS or KOKKOS_NUM_THREADS cannot be had: OpenMP and Kokkos
// crash where they cannot start that many threads.
void check_thread_counts();
// The complaint about the value of such a variable; empty if there is none.
std::string thread_count_complaint(const std::string& variable, const std::string& value, int processors);

// Threads that a parallel region gets which requests this many, counted inside one.
int openmp_team_size(int requested);

}  // namespace cfdmark
