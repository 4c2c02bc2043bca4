// A method of a linear solver on several ranks of this host.
#pragma once

#include "solvers/linear/ranked_iteration.hpp"
#include "solvers/linear/system/method.hpp"

namespace cfdmark {

// Returns a method of the serial backend that iterates on ranks, one a thread
// (kernels/ranks/thread_ranks.hpp): each on its part of the system, with the bits of one rank. The start of a
// solve copies the whole system to the parts, and its end copies the unknowns back. `communicator`: null for
// RankCommunicator. The method does not support what the given one does not support over ranks
// (SystemShape::over_ranks). Preparing it throws std::invalid_argument if the grid cannot be parted so, and
// std::runtime_error with its rank for a failure of one.
SolverMethod on_ranks(const SolverMethod&, int ranks, const PartShape&,
                      const MakeCommunicator& communicator = nullptr);
// Returns a method that iterates on this process's rank. Every process prepares and solves the same whole
// system, and has the whole answer. The ranks must outlive what is prepared.
SolverMethod on_ranks(const SolverMethod&, Ranks&, const PartShape&);

}  // namespace cfdmark
