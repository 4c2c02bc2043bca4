// A linear solve on several ranks.
#pragma once

#include "kernels/ranks/ranks.hpp"
#include "solvers/linear/system/method.hpp"

namespace cfdmark {

struct RankedOutcome {
  Outcome outcome;  // equal on all ranks
  HostField u;      // the unknowns of the whole domain, in 64 bits unless the precision is fp32
};

// Makes the communicator of a rank.
using MakeCommunicator = std::function<std::unique_ptr<const Communicator>(Ranks&, const Partition&)>;

// Solves a problem from its initial guess on serial ranks, one a thread (thread_ranks.hpp). `precision`:
// fp32, fp64, or mixed, which refines in 64 bits. `config`: complete. `communicator`: null for
// RankCommunicator. Throws std::invalid_argument if the method does not support the system over ranks, and
// std::runtime_error with the rank for a failure of one.
RankedOutcome solve_on_ranks(const SolverMethod&, Precision, const Config&, const LinearProblem& whole,
                             const Partition&, double tolerance, int max_iterations,
                             const MakeCommunicator& communicator = nullptr);

}  // namespace cfdmark
