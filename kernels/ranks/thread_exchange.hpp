// Exchanges between ranks that are threads of one process.
#pragma once

#include <memory>

#include "kernels/ranks/buffer_exchange.hpp"
#include "kernels/ranks/ghost_rounds.hpp"
#include "kernels/ranks/ranks.hpp"
#include "kernels/ranks/thread_group.hpp"

namespace cfdmark {

// Returns exchange number `number` of ghosts, which a rank copies from the memory of the ranks around.
std::unique_ptr<GhostExchange> thread_exchange(ThreadGroup&, int rank, std::size_t number, GhostRounds);

// Collective. Returns set number `number` of buffers, which a rank reads in the memory of the others.
std::unique_ptr<BufferExchange> thread_buffers(ThreadGroup&, Ranks&, std::size_t number,
                                               const std::vector<RankMessage>& sent,
                                               const std::vector<RankMessage>& received);

}  // namespace cfdmark
