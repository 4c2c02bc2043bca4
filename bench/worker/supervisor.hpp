// Sends requests to a worker and starts one when needed. However a worker ends, the caller gets an answer.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/worker/worker_process.hpp"
#include "bench/worker/workers_time.hpp"

namespace cfdmark {

struct Answer {
  enum class End {
    done,
    died,         // the worker crashed
    failed,       // the worker reported an error and ended
    hung,         // the worker was killed because one stage exceeded the timeout
    device_lost,  // a device no longer responds; the worker has ended
    stopped       // `keep_going` returned false; the worker was killed
  };
  End end = End::done;
  std::string reason;       // explanation; empty for `done`
  WorkerStatus note;        // the worker's last stage
  std::size_t culprit = 0;  // the case measured at that time; see ask_for_cases

  // Returns the record status of a case that the worker's end left without a record: "timeout", "crashed" or
  // "error".
  std::string status() const;
};

class Supervisor {
 public:
  // `timeout` limits each stage of a worker, in seconds. `variables` are added to its environment as
  // NAME=VALUE.
  Supervisor(std::vector<std::string> command, double timeout, std::vector<std::string> variables = {})
      : command_(std::move(command)), timeout_(timeout), variables_(std::move(variables)) {}

  void set_timeout(double seconds) { timeout_ = seconds; }

  struct Listener {
    // Called for each message except records and the last one.
    std::function<void(const Json&)> event = [](const Json&) {};
    std::function<void(const Json&)> record = [](const Json&) {};
    // Called several times a second with the worker's stage; false stops the worker.
    std::function<bool(const WorkerStatus&)> keep_going = [](const WorkerStatus&) { return true; };
  };
  // Ends the worker; the next request starts a new process.
  void end_worker();
  // Called several times a second during a wait; false ends the wait.
  using Patience = std::function<bool()>;
  // Prestarts workers until `processes` are ready or starting. Idle ones are reused; new ones get `request`,
  // which must be answered by "done" only. The next worker is taken from these, so its start-up costs no
  // time. Throws std::system_error if a process cannot start.
  void prestart(std::size_t processes, const Json& request);
  // Waits up to the timeout until these have started. A process that is late is ended; when a worker is
  // needed, another one starts and reports the problem.
  void wait_for_standby(const Patience&);
  // Replaces the worker by another process for the next request. The present one gets `request` and is then
  // idle; only prestart() makes it available again.
  void swap_worker(const Json& request, const Patience&);
  std::size_t standing_by() const { return standing_by_.size(); }
  std::size_t idle() const { return standing_by_.size() + idle_.size(); }
  // Sends a request, after starting a worker if there is none. Throws std::system_error if it cannot start.
  // After a worker was lost, the request contains "after_loss".
  Answer ask(Json request, const Listener& listener);
  const WorkersTime& time() const { return time_; }

 private:
  class Waiting;
  std::unique_ptr<WorkerProcess> next_worker();
  static bool is_done(WorkerProcess&, double end, const Patience&);
  Answer listen(const Listener& listener);
  static void pass_on(const Json& message, const Listener& listener);
  Answer end_worker(Answer::End end, std::string reason);
  Answer died();

  std::vector<std::string> command_;
  double timeout_;
  std::vector<std::string> variables_;
  std::unique_ptr<WorkerProcess> worker_;
  std::deque<std::unique_ptr<WorkerProcess>> standing_by_, beginning_, idle_;
  bool has_lost_one_ = false;
  WorkersTime time_;
};

}  // namespace cfdmark
