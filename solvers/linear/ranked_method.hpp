// A method of a linear solver on several ranks: threads of this process, or processes.
#pragma once

#include "kernels/ranks/ranks.hpp"
#include "solvers/linear/system/method.hpp"

namespace cfdmark {

// Makes the communicator of a rank.
using MakeCommunicator = std::function<std::unique_ptr<const Communicator>(Ranks&, const Partition&)>;

// Returns a method of the serial backend that iterates on ranks, one a thread
// (kernels/ranks/thread_ranks.hpp): each on its part of the system, with the bits of one rank. The start of a
// solve copies the whole system to the parts, and its end copies the unknowns back. `communicator`: null for
// RankCommunicator. The method does not support what the given one does not support over ranks
// (SystemShape::over_ranks). Preparing it throws std::invalid_argument if the grid cannot be parted so, and
// std::runtime_error with its rank for a failure of one.
SolverMethod on_ranks(const SolverMethod&, int ranks, const PartShape&,
                      const MakeCommunicator& communicator = nullptr);

// Returns the same for this process's rank among processes, on the serial or OpenMP backend. All ranks make
// the same solves of the same problem. Each holds the whole system too, and has all unknowns after a solve.
SolverMethod on_ranks(const SolverMethod&, Ranks&, const PartShape&);

}  // namespace cfdmark
