#include "bench/worker/ask_worker.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/case/case_record.hpp"
#include "bench/record/record.hpp"
#include "bench/record/records.hpp"
#include "bench/worker/worker.hpp"

namespace cfdmark {
namespace {

Answer ask_about(Supervisor& supervisor, const Json& request, const std::string& what,
                 const KeepGoing& keep_going, std::function<void(const Json&)> event) {
  Supervisor::Listener listener;
  listener.event = std::move(event);
  listener.keep_going = [&](const WorkerStatus&) { return keep_going(what); };
  return supervisor.ask(request, listener);
}

Json request_to_compile(const std::vector<Case>& cases, double seconds) {
  Json request = {{"request", "compile"}, {"seconds", seconds}, {"cases", Json::array()}};
  for (const Case& c : cases) request["cases"].push_back(to_message(c));
  return request;
}

// Returns the identifier of a record.
std::string name_of(const Json& record) {
  const Json name = record.value("case", Json());
  return name.is_string() ? name.get<std::string>() : "a record without `case`";
}

}  // namespace

Answer ask_for_description(Supervisor& supervisor, Json& description, const KeepGoing& keep_going) {
  return ask_about(supervisor, {{"request", "describe"}}, "querying the machine", keep_going,
                   [&](const Json& event) { description = event.value("environment", Json()); });
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

Json request_to_stand_by(DeviceId id) {
  Json request = to_message(id);
  request["request"] = "stand_by";
  return request;
}

Answer ask_to_compile(Supervisor& supervisor, const std::vector<Case>& cases, double seconds,
                      const KeepGoing& keep_going) {
  return ask_about(supervisor, request_to_compile(cases, seconds),
                   fmt::format("compiling the device code of {} configs", cases.size()), keep_going,
                   [](const Json&) {});
}

std::unique_ptr<WorkerProcess> compile_meanwhile(const std::vector<std::string>& worker,
                                                 const std::vector<Case>& cases) {
  constexpr double seconds = 3600;  // the process is killed when it is no longer useful
  Json request = request_to_compile(cases, seconds);
  request["meanwhile"] = true;
  auto process = std::make_unique<WorkerProcess>(worker);
  process->channel().send(request);
  return process;
}

Answer ask_for_cases(Supervisor& supervisor, Json request, const std::vector<Case>& cases,
                     const CaseListener& listener) {
  request["cases"] = Json::array();
  for (const Case& c : cases) request["cases"].push_back(to_message(c));
  std::vector<bool> recorded(cases.size(), false);
  const auto take = [&](std::size_t n, const Json& record) {
    recorded[n] = true;
    listener.record(n, record);
  };
  const auto end = [&](std::size_t n, const std::string& status, const std::string& reason) {
    Json record = record_of(cases[n], status, reason);
    record["environment"] = request.at("environment").at("id");
    take(n, record);
  };
  const auto is_named = [&](const WorkerStatus& note) {
    return note.index >= 0 && note.index < int(cases.size());
  };

  std::string what = fmt::format("preparing {}", short_name(cases.front()));
  Supervisor::Listener l;
  std::string stray;
  bool out_of_time = false;
  l.event = [&](const Json& event) { out_of_time = out_of_time || event.at("event") == "out_of_time"; };
  l.record = [&](const Json& record) {
    const std::string name = name_of(record);
    for (std::size_t n = 0; n < cases.size(); ++n)
      if (!recorded[n] && case_name(cases[n]) == name) return take(n, record);
    stray = name;
  };
  l.keep_going = [&](const WorkerStatus& note) {
    if (is_named(note))
      what = fmt::format("{} {}", to_string(note.stage), short_name(cases[std::size_t(note.index)]));
    return listener.keep_going(what);
  };
  Answer answer = supervisor.ask(request, l);
  if (answer.end == Answer::End::stopped) return answer;
  if (answer.end == Answer::End::done) {
    for (std::size_t n = 0; n < cases.size(); ++n)
      if (!recorded[n] && !out_of_time)
        end(n, "error",
            "the worker returned no record for it" +
                (stray.empty() ? "" : fmt::format(", but one for {}", stray)));
    return answer;
  }
  const auto first_without = std::find(recorded.begin(), recorded.end(), false);
  answer.culprit = is_named(answer.note)             ? std::size_t(answer.note.index)
                   : first_without != recorded.end() ? std::size_t(first_without - recorded.begin())
                                                     : 0;
  if (!recorded[answer.culprit]) end(answer.culprit, answer.status(), answer.reason);
  return answer;
}

}  // namespace cfdmark
