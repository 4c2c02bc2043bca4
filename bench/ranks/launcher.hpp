// The programs that start ranks as processes: srun, mpirun, mpiexec.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cfdmark {

// Returns the words of a launcher, with {ranks} replaced. `launcher`: such as "srun -n {ranks} --mpi=pmix".
// Empty: "srun -n {ranks}" within an allocation of Slurm, else mpirun or mpiexec, the first on PATH. Throws
// std::invalid_argument if there is none, or if the text lacks {ranks}.
std::vector<std::string> launcher_words(const std::string& launcher, int ranks);

// Sets variables, where they are not set yet, with which Open MPI starts ranks as root, more of them than
// cores, unbound, without a report of its own when one ends, and without reading another process's memory
// where this system forbids that.
void prepare_environment_for_launcher();

// Returns an equal share of the processors of this host, at least 1.
int processors_a_rank(int ranks);

// Returns the variables of a rank's environment with which it has this number of threads. Each rank takes its
// own processors; threads that stay where they start would share the first ones with those of other ranks.
std::vector<std::pair<std::string, std::string>> variables_of_rank(int threads);

// Throws std::invalid_argument if a launcher has started this process as one of several: the program starts
// its ranks itself.
void refuse_launched_process();

}  // namespace cfdmark
