// The processes of a job of ranks, as the process that started them sees them.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/ranks/job_socket.hpp"
#include "bench/text/seconds_now.hpp"
#include "bench/worker/channel.hpp"

namespace cfdmark {

struct RankJob {
  int ranks = 2;
  std::vector<std::string> command;   // of a rank; followed by the supervisor's HOST:SOCKET
  std::vector<std::string> launcher;  // the words before that (launcher_words)
  double limit = 600;                 // seconds that a rank may wait for another
  std::vector<std::pair<std::string, std::string>> variables = {};  // of the ranks' environment
};

// Why a job has ended before its work was done.
struct JobFailure {
  std::string status;  // of a case: "crashed", "timeout" or "error"
  std::string reason;
  int exit_status;
};

class RankProcesses {
 public:
  // Starts the launcher. Throws std::system_error.
  explicit RankProcesses(RankJob);
  // Ends all processes and waits for their end: the launcher gets SIGTERM, 2 s later SIGKILL, and so does
  // every rank that still has a connection. If this process is killed, the ranks end themselves.
  ~RankProcesses();
  RankProcesses(const RankProcesses&) = delete;
  RankProcesses& operator=(const RankProcesses&) = delete;

  const RankJob& job() const { return job_; }
  // Takes messages; waits for the first one up to `milliseconds`. Returns why the job has to end, if it has.
  std::optional<JobFailure> look(int milliseconds);
  // Returns true if the first rank has met the others. All ranks of this host are then connected.
  bool have_met() const { return first_has_joined_; }
  // Returns true if the launcher has ended without a failure. The status of the first rank is then known.
  bool have_ended() const { return launcher_status_.has_value(); }
  int first_status() const { return first_status_.value_or(0); }

  // Sends all ranks of this host a message, and notes what they do from now on, such as "verifying".
  void send(const Json& message, const std::string& stage);
  // Returns the answer of the first rank, once.
  std::optional<Json> take_answer() { return std::exchange(answer_, std::nullopt); }
  // Returns what the first rank that could not do its work has said since the last send(), and when.
  const std::optional<std::pair<JobFailure, double>>& stumbled() const { return stumbled_; }
  // Returns the failure of a job whose ranks have not done their work within `seconds`.
  JobFailure hung(double seconds) const;

 private:
  // The connection to a rank of this host.
  struct Link {
    std::unique_ptr<Channel> channel;
    int fd = -1;
    pid_t process = 0;
    int rank = -1;  // -1: has not joined
    std::string stage = "starting", waits_for;
    double waits_since = 0;
    bool ended = false, terminated = false;

    bool is_open() const { return !channel->closed(); }
  };

  void start();
  void connect();
  void hear(int milliseconds);
  void take(Link&, const Json& message);
  void look_at_launcher();
  void wait_for_end();
  bool is_over() const;
  std::string name_of(const Link&) const;
  std::string launcher_name() const;
  JobFailure strangers(int count, const std::string& library) const;
  JobFailure error(const std::string& reason) const;
  std::optional<JobFailure> failure();
  std::optional<JobFailure> failure_of_start(double now) const;
  std::optional<JobFailure> failure_of_end();
  JobFailure failure_of_lost(std::size_t lost);
  JobFailure launcher_killed() const;

  RankJob job_;
  JobSocket socket_;
  pid_t launcher_ = -1;
  std::optional<int> launcher_status_;  // of waitpid(2)
  std::vector<Link> links_;
  std::optional<std::size_t> lost_;    // the first link that closed
  std::optional<JobFailure> failure_;  // that a rank has sent
  std::optional<std::pair<JobFailure, double>> stumbled_;
  std::optional<Json> answer_;
  std::optional<int> first_status_;
  bool has_joined_ = false,
       first_has_joined_ = false;  // any rank, and rank 0, which have then met all others
  double started_ = seconds_now(), all_ended_since_ = started_;
};

}  // namespace cfdmark
