// Sends requests to a worker, the process that measures, and starts one when needed. However a worker ends,
// the caller gets an answer.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/worker/worker_process.hpp"
#include "bench/worker/worker_rows.hpp"
#include "bench/worker/workers_time.hpp"

namespace cfdmark {

struct Answer {
  enum class End {
    done,
    died,         // the worker process ended by itself, for example by a crash
    failed,       // the worker reported an error or sent an invalid message; it was killed
    hung,         // the worker's status did not change for longer than the timeout; it was killed
    device_lost,  // the worker reported that a device no longer responds; it was killed
    stopped       // `keep_going` returned false; the worker was killed
  };
  End end = End::done;
  std::string reason;       // explanation; empty for `done`
  WorkerStatus note;        // the worker's last stage and case
  std::size_t culprit = 0;  // set by ask_for_cases: index, among its cases, of the one in progress then

  // Returns the status for the record of that case: "timeout" if the worker hung, "crashed" if it died, else
  // "error".
  std::string status() const;
};

class Supervisor {
 public:
  // `timeout` limits, in seconds, how long a worker's status may stay the same: one preparation, verification
  // or sample of a case (stage.hpp lists the stages). `variables` are added to its environment as NAME=VALUE.
  // `rows`, which must outlive this object, are those of the command's catalog; null: of this program's.
  Supervisor(std::vector<std::string> command, double timeout, std::vector<std::string> variables = {},
             const WorkerRows* rows = nullptr)
      : command_(std::move(command)), timeout_(timeout), variables_(std::move(variables)), rows_(rows) {}

  const WorkerRows& rows() const { return rows_ ? *rows_ : own_rows(); }
  void set_timeout(double seconds) { timeout_ = seconds; }

  struct Listener {
    // Called for each message except the last one. A Json::exception counts as an invalid message.
    std::function<void(const Json&)> event = [](const Json&) {};
    // Called several times a second with the worker's stage; false stops the worker.
    std::function<bool(const WorkerStatus&)> keep_going = [](const WorkerStatus&) { return true; };
    int milliseconds_between_looks = 200;
  };
  // Ends the worker. The next request uses a standby process, or starts a new one.
  void end_worker();
  // Called several times a second during a wait; false ends the wait.
  using Patience = std::function<bool()>;
  // Makes `processes` standby workers, which are ready or starting. Idle ones are reused, and those beyond
  // this number end. New ones get `request`, which must be answered by "done" only. The next worker is taken
  // from these, so its start-up costs no time. Throws std::system_error if a process cannot start.
  void prestart(std::size_t processes, const Json& request);
  // Waits up to the timeout until these have answered. A process that is late, ends or reports an error is
  // dropped without a message. If the cause persists, the worker of a later request meets it and reports it.
  void wait_for_standby(const Patience&);
  // Replaces the worker by another process for the next request. The present one gets `request`, which should
  // free its cases. Once it has answered "done" it is idle, and prestart() can make it available again.
  // Without this answer it is ended.
  void swap_worker(const Json& request, const Patience&);
  std::size_t standing_by() const { return standing_by_.size(); }
  std::size_t idle() const { return standing_by_.size() + idle_.size(); }
  // Sends a request, after taking a standby worker or starting one if there is none. Throws
  // std::system_error if it cannot start. Once a worker has ended otherwise than by `keep_going`, requests
  // contain "after_loss". Workers then compile nothing in advance, so that a further crash points to its case
  // (MeasureRequest::ahead).
  Answer ask(Json request, const Listener& listener);
  const WorkersTime& time() const { return time_; }

 private:
  class Waiting;
  std::unique_ptr<WorkerProcess> next_worker();
  static bool is_done(WorkerProcess&, double end, const Patience&);
  Answer listen(const Listener& listener);
  Answer done(const Json& message);
  Answer end_worker(Answer::End end, std::string reason);
  Answer died();

  std::vector<std::string> command_;
  double timeout_;
  std::vector<std::string> variables_;
  const WorkerRows* rows_;
  std::unique_ptr<WorkerProcess> worker_;
  std::deque<std::unique_ptr<WorkerProcess>> standing_by_, beginning_, idle_;
  bool has_lost_one_ = false;
  WorkersTime time_;
};

}  // namespace cfdmark
