#include "kernels/device/cpu/cpu_rows.hpp"

namespace cfdmark {

TuningSpace openmp_space() { return {{openmp_threads_setting()}}; }

HostRows openmp_chunks(const Config& config) {
  return HostRows::in_chunks(config.integer("threads"), openmp_schedule_from(config.choice("schedule")),
                             config.integer("chunk"), config.is("binding", "close"));
}

TuningSpace openmp_chunk_space() {
  TuningSpace space{openmp_chunk_settings()};
  space.settings.insert(space.settings.begin(), openmp_threads_setting());
  return space;
}

}  // namespace cfdmark
