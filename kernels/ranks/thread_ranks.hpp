// Ranks as threads of one process. They exchange values by copying from each other's memory.
#pragma once

#include <functional>
#include <memory>

#include "kernels/ranks/ranks.hpp"

namespace cfdmark {

// Threads that wait for work, one a rank; rank 0 is the thread that calls run().
class RankTeam {
 public:
  // A rank that waits longer than `wait_limit` seconds for another fails, and the message names both.
  explicit RankTeam(int count, double wait_limit = 600);
  RankTeam(const RankTeam&) = delete;
  RankTeam& operator=(const RankTeam&) = delete;
  ~RankTeam();

  // Calls work(ranks) on every rank, and returns when all have returned. The Ranks live as long as the team.
  // Throws std::runtime_error with the first failure and its rank: the other ranks end at their next wait.
  // The team is then of no further use, and run() throws std::logic_error.
  void run(const std::function<void(Ranks&)>& work);

 private:
  struct Threads;
  std::unique_ptr<Threads> threads_;
};

// Does the same with a team for this work alone.
void on_thread_ranks(int count, const std::function<void(Ranks&)>& work, double wait_limit = 600);

}  // namespace cfdmark
