// Other load on the machine while a solve is timed.
#pragma once

namespace cfdmark {

// Warns on standard error if other programs keep this machine at work. OpenMP threads that spin while they
// wait would then take the processors from each other: unless OMP_WAIT_POLICY or GOMP_SPINCOUNT says
// otherwise, the program starts again with threads that sleep while they wait. Call it before anything is
// printed.
void look_at_load_before_solve();

}  // namespace cfdmark
