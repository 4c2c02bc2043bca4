#include "kernels/device/cpu/allowed_cpus.hpp"

#include <cstddef>
#include <vector>

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace cfdmark {

cpu_set_t allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
#if defined(_OPENMP)
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> processors(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, processors.data());
    for (const int p : processors)
      if (p < CPU_SETSIZE) CPU_SET(p, &set);
  }
#endif
  if (CPU_COUNT(&set) == 0) sched_getaffinity(0, sizeof set, &set);
  return set;
}

}  // namespace cfdmark
