// Where ranks work: on a host each has an object of its own, but on Kokkos that of the process, and on CUDA a
// device of its own: threads one each, counted from that of the whole problem; a process that of its whole
// problem.
#pragma once

#include <memory>

#include "kernels/core/rank_setup.hpp"
#include "kernels/device/cuda/plan/peer_plan.hpp"
#include "kernels/ranks/ghost_rounds.hpp"
#include "solvers/linear/ranked_iteration.hpp"
#include "solvers/linear/system/method.hpp"

namespace cfdmark {

// The backend of a rank of this process.
class RankBackend {
 public:
  // `whole`: the backend that has the whole problem.
  RankBackend(const Backend& whole, int rank);

  Backend& operator*() const { return *backend_; }
  Backend* get() const { return backend_; }

 private:
  std::unique_ptr<Backend> own_;
  Backend* backend_;
};

// Throws std::invalid_argument, with both numbers, if there are fewer CUDA devices than ranks, or if the
// backend has no ranks.
void require_rank_devices(const Backend& whole, int ranks);

// Makes the copies of a rank between the whole problem and its part, on its backend, and waits for them.
void run_copies(Backend& of_rank, const std::vector<GhostCopy>&);

// The setting `exchange` of cases on several CUDA devices: the way between them. Devices of processes do not
// write to each other's memory.
Setting exchange_setting(const RankSetup&);
// Returns the way of a config; `store` without it.
PeerWay peer_way_of(const Config&);

// Returns the communicator of a rank: `make`'s, or if that is null the one of its backend.
std::unique_ptr<const Communicator> communicator_of(Ranks&, const Partition&, Backend& of_rank,
                                                    const MakeCommunicator& make, const Config&);

// Returns a method as it is on ranks of a backend. On CUDA it has the setting `exchange` and no graphs, and
// cuts lie between bricks.
SolverMethod on_ranks_of(BackendKind, SolverMethod, const RankSetup&);
// Removes the settings of CUDA graphs, which steps on ranks do not use.
void without_graphs(TuningSpace&);

// Returns the number of cells at whose multiples cuts must lie on this backend.
int rank_alignment_of(BackendKind, const Grid& domain);

}  // namespace cfdmark
