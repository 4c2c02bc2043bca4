// Checks for other load on the machine before a solve is timed.
#pragma once

namespace cfdmark {

// Warns on standard error if other programs use the processors. Spinning OpenMP threads would then take
// processor time from each other: unless OMP_WAIT_POLICY or GOMP_SPINCOUNT is set, the program restarts with
// threads that sleep while they wait. Must be called before anything is printed.
void look_at_load_before_solve();

}  // namespace cfdmark
