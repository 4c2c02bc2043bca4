// A method of a linear solver on several ranks.
#pragma once

#include "solvers/base/ranked_solve.hpp"
#include "solvers/linear/ranked_iteration.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {

// Returns a method that iterates on ranks, one a thread (kernels/ranks/thread_ranks.hpp): each on its part of
// the system, with the bits of one rank. On the serial backend each rank has a core, on CUDA a device
// (device_parts.hpp). The start of a solve copies the whole system to the parts, and its end copies the
// unknowns back. `communicator`: null for that of the backend. `access`: null, or filled by prepare. The
// method does not support what the given one does not support over ranks (SystemShape::over_ranks). Preparing
// it throws std::invalid_argument if the grid cannot be parted so, and std::runtime_error with its rank for a
// failure of one.
SolverMethod on_ranks(const SolverMethod&, int ranks, const PartShape&,
                      const MakeCommunicator& communicator = nullptr,
                      const std::shared_ptr<RankAccess>& access = nullptr);
// Returns a method that iterates on this process's rank. Every process prepares and solves the same whole
// system, and has the whole answer. The ranks must outlive what is prepared. `access`: null, or filled by
// prepare.
SolverMethod on_ranks(const SolverMethod&, Ranks&, const PartShape&,
                      const std::shared_ptr<RankAccess>& access = nullptr);
// Returns the second one in a process that is a rank, else the first one.
SolverMethod on_ranks(const SolverMethod&, const RankSetup&,
                      const std::shared_ptr<RankAccess>& access = nullptr);

// Prepares a solve of a method on ranks, whose copies to the parts and back are outside of the solve.
// Exceptions: a refined solve, which corrects the whole solution in each round, and a singular system, whose
// right-hand side is centred as a whole (RankFacts::copies_timed). Throws what PreparedSolver and on_ranks
// throw.
std::unique_ptr<RankedSolve> ranked_solve(const SolverDescription&, const SolverMethod&, const RankSetup&,
                                          Backend&, Precision, const Config&,
                                          std::shared_ptr<const LinearProblem>, const LevelConfigs& = {});

}  // namespace cfdmark
