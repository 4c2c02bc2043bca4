// The processors that this process may use.
#pragma once

#include <sched.h>

namespace cfdmark {

// What the process was started with. Where OMP_PROC_BIND is set OpenMP has bound the first thread to a part
// of that, and each thread and process that it starts would inherit the part.
cpu_set_t unbound_processors();

}  // namespace cfdmark
