// Ranks as threads of one process. They exchange values by copying from each other's memory.
#pragma once

#include <functional>

#include "kernels/ranks/ranks.hpp"

namespace cfdmark {

// Calls work(ranks) on `count` threads, one a rank, and returns when all have returned. Throws
// std::runtime_error with the first failure and its rank: the other ranks end at their next wait. A rank that
// waits longer than `wait_limit` seconds for another fails, and the message names both.
void on_thread_ranks(int count, const std::function<void(Ranks&)>& work, double wait_limit = 600);

}  // namespace cfdmark
