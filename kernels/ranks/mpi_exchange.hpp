// Exchanges between processes that MPI joins.
#pragma once

#include <memory>

#include "kernels/ranks/buffer_exchange.hpp"
#include "kernels/ranks/ghost_rounds.hpp"
#include "kernels/ranks/mpi_messages.hpp"
#include "kernels/ranks/ranks.hpp"

namespace cfdmark {

// Returns exchange number `number` of ghosts. `rounds`: those of each rank. Addresses of other processes in
// them are not read.
std::unique_ptr<GhostExchange> mpi_exchange(MpiMessages&, int rank, std::size_t number,
                                            const std::vector<GhostRounds>& rounds);

// Returns exchange number `number`, one of buffers. The messages are those that check_messages accepts.
std::unique_ptr<BufferExchange> mpi_buffers(MpiMessages&, std::size_t number,
                                            const std::vector<RankMessage>& sent,
                                            const std::vector<RankMessage>& received);

}  // namespace cfdmark
