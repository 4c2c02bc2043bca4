#include "bench/worker/supervisor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/text/duration.hpp"
#include "bench/text/seconds_now.hpp"

namespace cfdmark {
namespace {

constexpr int milliseconds_between_looks = 200;

// Measures how long the worker's note has not changed. Time during which this process was suspended does not
// count: the worker was suspended too, or needs its time to finish.
class Watch {
 public:
  double seconds_at(const WorkerStatus& note) {
    const double now = seconds_now();
    seconds_ = note.count == count_ ? seconds_ + std::min(now - looked_, 1.0) : 0;
    count_ = note.count;
    looked_ = now;
    return seconds_;
  }

 private:
  std::uint32_t count_ = 0;
  double seconds_ = 0, looked_ = seconds_now();
};

}  // namespace

// Adds the time until its destruction.
class Supervisor::Waiting {
 public:
  explicit Waiting(WorkersTime& time) : time_(time) {}
  ~Waiting() { time_.waiting += seconds_now() - start_; }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  WorkersTime& time_;
  double start_ = seconds_now();
};

std::string Answer::status() const {
  return end == End::hung ? "timeout" : end == End::died ? "crashed" : "error";
}

void Supervisor::end_worker() {
  if (worker_) worker_->end(true);
  worker_.reset();
}

void Supervisor::prestart(std::size_t processes, const Json& request) {
  for (; !idle_.empty(); idle_.pop_front())
    if (standing_by_.size() < processes) standing_by_.push_back(std::move(idle_.front()));
  while (standing_by_.size() + beginning_.size() < processes) {
    beginning_.push_back(std::make_unique<WorkerProcess>(command_, variables_));
    beginning_.back()->channel().send(request);
  }
}

void Supervisor::wait_for_standby(const Patience& patience) {
  const Waiting waiting(time_);
  const double end = seconds_now() + timeout_;
  for (; !beginning_.empty(); beginning_.pop_front())
    if (is_done(*beginning_.front(), end, patience)) standing_by_.push_back(std::move(beginning_.front()));
}

void Supervisor::swap_worker(const Json& request, const Patience& patience) {
  const Waiting waiting(time_);
  std::unique_ptr<WorkerProcess> before = std::move(worker_);
  if (before && before->channel().send(request) && is_done(*before, seconds_now() + timeout_, patience))
    idle_.push_back(std::move(before));
}

bool Supervisor::is_done(WorkerProcess& process, double end, const Patience& patience) {
  std::vector<std::string> answers;
  while (answers.empty() && !process.channel().closed() && seconds_now() < end && patience())
    answers = process.channel().receive(milliseconds_between_looks);
  if (answers.size() != 1) return false;
  const Json answer = Json::parse(answers.front(), nullptr, false);
  return answer.is_object() && answer.value("event", "") == "done";
}

// Skips processes that died while idle, which would fail the next request.
std::unique_ptr<WorkerProcess> Supervisor::next_worker() {
  while (!standing_by_.empty()) {
    std::unique_ptr<WorkerProcess> next = std::move(standing_by_.front());
    standing_by_.pop_front();
    if (next->channel().receive(0).empty() && !next->channel().closed()) return next;
  }
  return std::make_unique<WorkerProcess>(command_, variables_);
}

Answer Supervisor::ask(Json request, const Listener& listener) {
  const Waiting waiting(time_);
  if (has_lost_one_) request["after_loss"] = true;
  request["timeout"] = timeout_;
  if (!worker_) worker_ = next_worker();
  const double start = seconds_now();
  const Answer answer = worker_->channel().send(request) ? listen(listener) : died();
  if (answer.end != Answer::End::done) {
    time_.lost += seconds_now() - start;
    ++time_.ended[std::size_t(answer.note.stage)];
  }
  return answer;
}

Answer Supervisor::listen(const Listener& listener) {
  Watch watch;
  while (true) {
    for (const std::string& line : worker_->channel().receive(listener.milliseconds_between_looks)) try {
        const Json message = Json::parse(line);
        const std::string event = message.at("event");
        if (event == "done") return done(message);
        if (event == "device_lost") return end_worker(Answer::End::device_lost, message.at("reason"));
        if (event == "failed") return end_worker(Answer::End::failed, message.at("reason"));
        listener.event(message);
      } catch (const Json::exception&) {
        return end_worker(Answer::End::failed, fmt::format("invalid message from worker: {:.60}", line));
      }
    if (worker_->channel().closed()) return died();
    const WorkerStatus note = worker_->note();
    if (watch.seconds_at(note) > timeout_)
      return end_worker(Answer::End::hung, fmt::format("timeout: {} took longer than {}",
                                                       to_string(note.stage), seconds_text(timeout_)));
    if (!listener.keep_going(note)) return end_worker(Answer::End::stopped, "stopped");
  }
}

Answer Supervisor::done(const Json& message) {
  const Json seconds = message.value("seconds", Json::object());
  for (const Stage stage : stages)
    time_.at[std::size_t(stage)] += seconds.value(std::string(to_string(stage)), 0.0);
  return {Answer::End::done, "", worker_->note()};
}

Answer Supervisor::end_worker(Answer::End end, std::string reason) {
  const WorkerStatus note = worker_->note();
  end_worker();
  has_lost_one_ = has_lost_one_ || end != Answer::End::stopped;
  return {end, std::move(reason), note};
}

Answer Supervisor::died() {
  const WorkerStatus note = worker_->note();
  const std::string how = worker_->end(false);
  has_lost_one_ = true;
  worker_.reset();
  return {Answer::End::died,
          fmt::format("the process {} while {}{}", how, to_string(note.stage),
                      how.ends_with("SIGKILL") ? " (the system may have run out of memory)" : ""),
          note};
}

}  // namespace cfdmark
