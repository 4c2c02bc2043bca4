// The supervisor's end of a worker: starts it, talks to it, sees how it ends.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "bench/run/blackboard.hpp"
#include "bench/run/channel.hpp"

namespace cfdmark {

class WorkerProcess {
 public:
  // Starts the command; `variables`, each NAME=VALUE, take the place of this process's own of their names.
  // The worker dies with this process, however that ends, and takes no signal from the terminal. Throws
  // std::system_error.
  explicit WorkerProcess(const std::vector<std::string>& command,
                         const std::vector<std::string>& variables = {});
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  Channel& channel() { return *channel_; }
  Note note() const { return blackboard_.read(); }

  // Waits for its end, after killing it if asked. "was killed by SIGSEGV", "ended with status 1".
  std::string end(bool kill_it);

 private:
  pid_t pid_ = -1;
  Blackboard blackboard_;
  std::unique_ptr<Channel> channel_;
};

// "SIGSEGV"; "signal 34" for one that has no name.
std::string signal_name(int signal);

}  // namespace cfdmark
