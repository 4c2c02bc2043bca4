#include "bench/worker/ask_worker.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/worker/ask_links.hpp"
#include "bench/worker/messages.hpp"

namespace cfdmark {
namespace {

Answer ask_about(Supervisor& supervisor, const Json& request, const std::string& what,
                 const KeepGoing& keep_going, std::function<void(const Json&)> event) {
  Supervisor::Listener listener;
  listener.event = std::move(event);
  listener.keep_going = [&](const WorkerStatus&) { return keep_going(what); };
  return supervisor.ask(request, listener);
}

Json request_to_compile(const std::vector<Case>& cases, double seconds, const WorkerRows& rows) {
  Json request = {{"request", "compile"}, {"seconds", seconds}};
  set_cases(request, cases, rows);
  return request;
}

// Hands on the results of a request for cases, one for each case.
class ResultTaker {
 public:
  ResultTaker(std::size_t cases, const CaseListener& listener)
      : listener_(listener), has_result_(cases, false) {}

  void event(const Json& event) {
    if (event.at("event") == "out_of_time") out_of_time_ = true;
    if (event.at("event") != "result") return;
    const std::size_t index = event.at("index");
    if (index >= has_result_.size() || has_result_[index])
      stray_ = fmt::format(", but one for case {}", index);
    else
      take(index, case_result_from_message(event));
  }

  bool has_result(std::size_t index) const { return has_result_[index]; }
  // Returns the first case without a result; 0 if all have one.
  std::size_t first_without() const {
    const auto found = std::find(has_result_.begin(), has_result_.end(), false);
    return found == has_result_.end() ? 0 : std::size_t(found - has_result_.begin());
  }

  void end(std::size_t index, const std::string& status, const std::string& reason) {
    CaseResult result;
    result.status = status;
    result.reason = reason;
    take(index, std::move(result));
  }

  // Ends the cases without a result as errors, if the worker had time for them.
  void end_missing() {
    for (std::size_t n = 0; n < has_result_.size(); ++n)
      if (!has_result_[n] && !out_of_time_) end(n, "error", "the worker returned no result for it" + stray_);
  }

 private:
  void take(std::size_t index, CaseResult result) {
    has_result_[index] = true;
    listener_.result(index, std::move(result));
  }

  const CaseListener& listener_;
  std::vector<bool> has_result_;
  std::string stray_;  // about a result for no requested case; empty if there is none
  bool out_of_time_ = false;
};

}  // namespace

Answer ask_for_description(Supervisor& supervisor, Json& description, const KeepGoing& keep_going) {
  Json event;
  Answer answer = ask_about(supervisor, {{"request", "describe"}}, "querying the machine", keep_going,
                            [&](const Json& came) { event = came; });
  if (event.is_null()) return answer;
  const int protocol = event.value("protocol", 1);  // the first protocol did not state its version
  if (protocol == worker_protocol) {
    description = event.value("environment", Json());
  } else {
    answer.end = Answer::End::failed;
    answer.reason =
        fmt::format("the worker speaks protocol {}, this program protocol {}", protocol, worker_protocol);
  }
  return answer;
}

Json ask_for_roof(Supervisor& supervisor, const RoofKey& key, const KeepGoing& keep_going,
                  const std::function<void(const std::string&)>& note) {
  Json found = Json::array();
  const std::string what = fmt::format("measuring the roof of {}", roof_name(key));
  if (!keep_going(what)) return found;
  const Answer answer = ask_about(supervisor, {{"request", "roof"}, {"key", to_message(key)}}, what,
                                  keep_going, [&](const Json& event) { found = event.at("roofs"); });
  if (answer.end != Answer::End::done && answer.end != Answer::End::stopped)
    note(fmt::format("cannot measure the roof of {}: {}", roof_name(key), answer.reason));
  return found;
}

Json ask_for_limits(Supervisor& supervisor, const LimitsKey& key, const KeepGoing& keep_going,
                    const std::function<void(const std::string&)>& note) {
  Json found = Json::array();
  const std::string what = fmt::format("measuring cache and arithmetic of {}", roof_name(key.roof));
  if (!keep_going(what)) return found;
  const Json request = {{"request", "limits"},
                        {"key", to_message(key.roof)},
                        {"arithmetic", key.arithmetic},
                        {"memory", key.memory}};
  const Answer answer = ask_about(supervisor, request, what, keep_going,
                                  [&](const Json& event) { found = event.at("limits"); });
  if (answer.end != Answer::End::done && answer.end != Answer::End::stopped)
    note(fmt::format("cannot measure the limits of {}: {}", roof_name(key.roof), answer.reason));
  return found;
}

Json ask_for_links(Supervisor& supervisor, const KeepGoing& keep_going,
                   const std::function<void(const std::string&)>& note) {
  Json found = Json::array();
  const std::string what = "measuring the links of the GPUs";
  if (!keep_going(what)) return found;
  const Answer answer = ask_about(supervisor, {{"request", "links"}}, what, keep_going,
                                  [&](const Json& event) { found = event.at("links"); });
  if (answer.end != Answer::End::done && answer.end != Answer::End::stopped)
    note(fmt::format("cannot measure the links of the GPUs: {}", answer.reason));
  return found;
}

Json request_to_stand_by(DeviceId id) {
  Json request = to_message(id);
  request["request"] = "stand_by";
  return request;
}

Answer ask_to_compile(Supervisor& supervisor, const std::vector<Case>& cases, double seconds,
                      const KeepGoing& keep_going) {
  return ask_about(supervisor, request_to_compile(cases, seconds, supervisor.rows()),
                   fmt::format("compiling the device code of {} configs", cases.size()), keep_going,
                   [](const Json&) {});
}

std::unique_ptr<WorkerProcess> compile_meanwhile(const std::vector<std::string>& worker,
                                                 const WorkerRows& rows, const std::vector<Case>& cases) {
  constexpr double seconds = 3600;  // the process is killed when it is no longer useful
  Json request = request_to_compile(cases, seconds, rows);
  request["meanwhile"] = true;
  auto process = std::make_unique<WorkerProcess>(worker);
  process->channel().send(request);
  return process;
}

Answer ask_for_cases(Supervisor& supervisor, Json request, const std::vector<Case>& cases,
                     const CaseListener& listener) {
  set_cases(request, cases, supervisor.rows());
  ResultTaker results(cases.size(), listener);
  const auto is_named = [&](const WorkerStatus& note) {
    return note.index >= 0 && note.index < int(cases.size());
  };
  std::string what = fmt::format("preparing {}", short_name(cases.front()));
  Supervisor::Listener l;
  l.milliseconds_between_looks = listener.milliseconds_between_looks;
  l.event = [&](const Json& event) { results.event(event); };
  l.keep_going = [&](const WorkerStatus& note) {
    if (is_named(note))
      what = fmt::format("{} {}", to_string(note.stage), short_name(cases[std::size_t(note.index)]));
    return listener.keep_going(what);
  };
  Answer answer = supervisor.ask(request, l);
  if (answer.end == Answer::End::stopped) return answer;
  if (answer.end == Answer::End::done) {
    results.end_missing();
    return answer;
  }
  answer.culprit = is_named(answer.note) ? std::size_t(answer.note.index) : results.first_without();
  if (!results.has_result(answer.culprit)) results.end(answer.culprit, answer.status(), answer.reason);
  return answer;
}

}  // namespace cfdmark
