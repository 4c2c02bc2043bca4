// Asks a worker, and sees to it that there is one to ask: whatever ends a worker becomes an answer.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/run/worker_process.hpp"
#include "bench/run/workers_time.hpp"

namespace cfdmark {

struct Answer {
  enum class End {
    done,
    died,         // the worker crashed
    failed,       // it gave up, and says why
    hung,         // it did one thing for longer than the timeout and was killed
    device_lost,  // a device no longer answers; the worker has ended
    stopped       // `keep_going` said no; the worker was killed
  };
  End end = End::done;
  std::string reason;       // in words; empty for done
  Note note;                // what the worker was at
  std::size_t culprit = 0;  // the case that it was at; see ask_for_cases

  // How the record ends of a case that has none because the worker ended so: "timeout", "crashed", "error".
  std::string status() const;
};

class Supervisor {
 public:
  // `timeout`: seconds that a worker may be at one thing. `variables`: NAME=VALUE, of its environment.
  Supervisor(std::vector<std::string> command, double timeout, std::vector<std::string> variables = {})
      : command_(std::move(command)), timeout_(timeout), variables_(std::move(variables)) {}

  void set_timeout(double seconds) { timeout_ = seconds; }

  struct Listener {
    // Each message of the worker before its last but records.
    std::function<void(const Json&)> event = [](const Json&) {};
    std::function<void(const Json&)> record = [](const Json&) {};
    // Called several times a second with what the worker is at; false stops it.
    std::function<bool(const Note&)> keep_going = [](const Note&) { return true; };
  };
  // The next answer comes from a new process.
  void end_worker();
  // Called several times a second while it waits; false ends that.
  using Patience = std::function<bool()>;
  // Sees to it that so many processes stand by: those that rest, and others that begin with `request`, whose
  // answer is "done" alone. Each is the worker when another is needed, with its start behind it. Throws
  // std::system_error if one cannot start.
  void let_stand_by(std::size_t processes, const Json& request);
  // Waits until these have begun, for the timeout at most. One that has not is ended: when it is needed,
  // another starts and says what is wrong.
  void wait_for_standby(const Patience&);
  // The next answer comes from another process. This one is asked `request`, and when that is done rests: it
  // is no worker again before let_stand_by().
  void change_worker(const Json& request, const Patience&);
  std::size_t standing_by() const { return standing_by_.size(); }
  std::size_t idle() const { return standing_by_.size() + resting_.size(); }
  // Starts a worker if there is none. Throws std::system_error if it cannot. A request after a worker was
  // lost says so: "after_loss".
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
  std::deque<std::unique_ptr<WorkerProcess>> standing_by_, beginning_, resting_;
  bool has_lost_one_ = false;
  WorkersTime time_;
};

}  // namespace cfdmark
