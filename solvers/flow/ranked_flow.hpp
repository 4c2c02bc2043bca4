// A method of a flow solver on several ranks.
#pragma once

#include "solvers/flow/method.hpp"
#include "solvers/linear/ranked_iteration.hpp"

namespace cfdmark {

// Returns a method as it is on ranks of a backend. On CUDA it has the setting `exchange` and no graphs.
FlowMethod on_flow_ranks_of(BackendKind, FlowMethod, const RankSetup&);

// Returns a method that iterates on ranks, one a thread: each on its part of the flow, with the bits of one
// rank. On the serial backend each rank has a core, on CUDA a device (device_parts.hpp). The start of a solve
// copies the whole flow to the parts, and its end copies the answer back. `communicator`: null for that of
// the backend. `access`: null, or filled by prepare. Preparing it throws std::invalid_argument if the grid
// cannot be parted so, and std::runtime_error with its rank for a failure of one, such as a pressure solver
// that does not run on ranks.
FlowMethod on_flow_ranks(const FlowMethod&, int ranks, const PartShape&,
                         const MakeCommunicator& communicator = nullptr,
                         const std::shared_ptr<RankAccess>& access = nullptr);
// Returns a method that iterates on this process's rank. Every process prepares and solves the same whole
// flow, and has the whole answer. The ranks must outlive what is prepared. `access`: null, or filled by
// prepare.
FlowMethod on_flow_ranks(const FlowMethod&, Ranks&, const PartShape&,
                         const std::shared_ptr<RankAccess>& access = nullptr);
// Returns the second one in a process that is a rank, else the first one.
FlowMethod on_flow_ranks(const FlowMethod&, const RankSetup&,
                         const std::shared_ptr<RankAccess>& access = nullptr);

}  // namespace cfdmark
