#include "bench/device_facts/threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "bench/device_facts/host_facts.hpp"

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace cfdmark {
namespace {

// Kokkos 3 supports 512 threads.
int most_threads(int processors) { return std::max(256, 2 * processors); }

}  // namespace

void keep_thread_counts() {
#if defined(_OPENMP)
  omp_set_dynamic(0);
#endif
}

std::string thread_count_complaint(const std::string& variable, const std::string& value, int processors) {
  const int most = most_threads(processors);
  char* end = nullptr;
  const double threads = std::strtod(value.c_str(), &end);  // first number of a list such as "4,2"
  // OpenMP ignores an invalid value with a warning; Kokkos aborts.
  const bool is_unusable = variable == "KOKKOS_NUM_THREADS" && (*end != '\0' || !(threads >= 1));
  if (!is_unusable && !(threads > most)) return "";
  if (is_unusable)
    return fmt::format("{}='{}': expected a whole number of threads from 1 to {}", variable, value, most);
  return fmt::format("{}='{}': expected at most {} threads on this machine of {} processors", variable, value,
                     most, processors);
}

void check_thread_counts() {
  for (const char* variable : {"OMP_NUM_THREADS", "KOKKOS_NUM_THREADS"}) {
    const char* value = std::getenv(variable);
    const std::string complaint = value ? thread_count_complaint(variable, value, cores()) : "";
    if (!complaint.empty()) throw std::invalid_argument(complaint);
  }
}

int openmp_team_size([[maybe_unused]] int requested) {
  int size = 1;
#if defined(_OPENMP)
#pragma omp parallel num_threads(requested)
#pragma omp single
  size = omp_get_num_threads();
#endif
  return size;
}

}  // namespace cfdmark
