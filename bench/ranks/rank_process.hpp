// A rank that is a process of its own: its channel to the process that started the job, and its end with it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bench/worker/channel.hpp"
#include "kernels/ranks/ranks.hpp"

namespace cfdmark {

class RankProcess {
 public:
  // Connects to the supervisor HOST:SOCKET. From then on this process ends when that one ends or asks it to.
  // Ends at once if the supervisor is of this host and has ended. A rank of another host has no channel; its
  // launcher ends it.
  explicit RankProcess(const std::string& supervisor);

  // Meets the other ranks through MPI. `limit`: seconds after which a wait for another rank fails. Throws
  // std::runtime_error if the ranks are of different builds.
  void join(double limit);
  Ranks& ranks() const { return *ranks_; }
  bool is_first() const { return ranks_->rank() == 0; }

  // Sends the supervisor what this rank does from now on, such as "solving".
  void report_stage(const std::string& stage) const;
  // Leaves the other ranks. Call it last, with the exit status of the work.
  void end(int status);
  // Sends the supervisor why this rank ends the job, and ends this process.
  [[noreturn]] void fail(const std::string& reason, int status) const;

 private:
  void send(const Json& message) const;

  std::unique_ptr<Channel> channel_;
  std::unique_ptr<Ranks> ranks_;
};

// Does the work of a rank that a supervisor has started, and returns the exit status of the process. Output
// of ranks other than the first is dropped.
int work_as_rank(const std::string& supervisor, double limit, const std::function<int(RankProcess&)>& work);

}  // namespace cfdmark
