// The supervisor's side of a worker: start, messages, and end.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "bench/worker/channel.hpp"
#include "bench/worker/worker_status.hpp"

namespace cfdmark {

class WorkerProcess {
 public:
  // Starts the command; each of `variables`, NAME=VALUE, overrides the present environment. The worker is
  // killed when this process ends and receives no signals from the terminal. Throws std::system_error.
  explicit WorkerProcess(const std::vector<std::string>& command,
                         const std::vector<std::string>& variables = {});
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  Channel& channel() { return *channel_; }
  WorkerStatus note() const { return shared_status_.read(); }

  // Waits for the process to end, after killing it if requested. Returns "was killed by SIGSEGV" or "ended
  // with status 1".
  std::string end(bool kill_it);

 private:
  pid_t pid_ = -1;
  SharedWorkerStatus shared_status_;
  std::unique_ptr<Channel> channel_;
};

}  // namespace cfdmark
