// The processors available to this process.
#pragma once

#include <sched.h>

namespace cfdmark {

// Returns the processors that the process started with. With OMP_PROC_BIND, OpenMP binds the first thread to
// some of them, and threads and processes that it starts inherit this restriction.
cpu_set_t allowed_cpus();

}  // namespace cfdmark
