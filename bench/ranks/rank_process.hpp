// A rank that is a process of its own: its channel to the process that started the job, and its end with it.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
  int hosts() const { return hosts_; }                         // of all ranks
  const std::string& library() const { return mpi_library_; }  // such as "Open MPI v4.1.4"

  // Collective. Returns the supervisor's next command, and passes it on to ranks of other hosts; none after
  // the last one.
  std::optional<Json> next_command();
  // Sends the supervisor a message; a rank of another host sends nothing.
  void send(const Json& message) const;
  // Sends the supervisor what this rank does from now on, such as "solving".
  void report_stage(const std::string& stage) const;
  // Leaves the other ranks. Call it last, with the exit status of the work.
  void end(int status);
  // Sends the supervisor why this rank ends the job, and ends this process.
  [[noreturn]] void fail(const std::string& reason, int status) const;

 private:
  void receive_commands();

  std::unique_ptr<Channel> channel_;
  std::deque<std::string> commands_;  // received and not yet returned
  std::vector<char> relays_;          // by rank: it has a channel; empty before the first command
  std::unique_ptr<Ranks> ranks_;
  int hosts_ = 1;
  std::string mpi_library_;
};

// Does the work of a rank that a supervisor has started, and returns the exit status of the process. Output
// of ranks other than the first is dropped.
int work_as_rank(const std::string& supervisor, double limit, const std::function<int(RankProcess&)>& work);

}  // namespace cfdmark
