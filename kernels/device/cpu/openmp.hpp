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
std::unique_ptr<Backend> new_openmp_backend();  // a further one (new_queue)
// Returns the default number of threads of a parallel region.
int openmp_max_threads();
// Returns the setting `threads`: searched over 1, 2, 4 .. all; default all.
Setting openmp_threads_setting();

// Returns the settings schedule, chunk and binding. Without OMP_PROC_BIND threads are not bound.
std::vector<Setting> openmp_chunk_settings();

enum class OpenMPSchedule { in_turn, dynamic, guided };  // in_turn is OpenMP's static, a C++ keyword
OpenMPSchedule openmp_schedule_from(std::string_view word);

}  // namespace cfdmark
