// A solve whose ranks are processes, which this program starts through a launcher of MPI.
#pragma once

#include "bench/solve/solve.hpp"

namespace cfdmark {

// Starts the command of this process again on each rank, and returns the exit status of the first, whose
// output is this program's. `is_threaded`: each rank gets an equal share of the processors as OpenMP threads,
// unless OMP_NUM_THREADS says how many; otherwise one. Throws std::invalid_argument, with what to install, if
// the program was built without MPI, or no launcher is installed.
int solve_by_processes(const SolveRequest&, bool is_threaded);

}  // namespace cfdmark
