#include "bench/compare/launch.hpp"

#include <fmt/format.h>

#include "bench/record.hpp"
#include "bench/supervisor.hpp"
#include "bench/worker.hpp"

namespace cfdmark {
namespace {

using End = Answer::End;

// No sample is one too many: how sure the result is, is seen over all launches.
constexpr double interval_never_narrow_enough = 0;

class Launch {
 public:
  explicit Launch(const LaunchPlan& plan)
      : plan_(plan), supervisor_(plan.worker, plan.timeout), records_(plan.cases.size()) {}

  std::vector<Json> go() {
    while (true) {
      asked_.clear();
      for (std::size_t n = 0; n < records_.size(); ++n)
        if (records_[n].is_null()) asked_.push_back(n);
      if (asked_.empty()) return records_;
      const Answer answer = supervisor_.ask(request(), listener());
      if (answer.end == End::stopped) return {};
      blame(answer);
    }
  }

 private:
  Json request() const {
    Json messages = Json::array();
    for (const std::size_t n : asked_) messages.push_back(to_message(plan_.cases[n]));
    Json request = {{"request", "run"},
                    {"cases", messages},
                    {"seconds", plan_.seconds},
                    {"interval", interval_never_narrow_enough},
                    {"environment", plan_.environment}};
    if (plan_.sample_seconds) request["sample_seconds"] = *plan_.sample_seconds;
    return request;
  }

  Supervisor::Listener listener() {
    Supervisor::Listener l;
    l.event = [this](const Json& event) { records_.at(asked_.at(event.at("index"))) = event.at("record"); };
    l.keep_going = [this](const Note& note) {
      const bool at_a_case = note.index >= 0 && note.index < int(asked_.size());
      return plan_.keep_going(at_a_case ? fmt::format("{} {}", to_string(note.stage),
                                                      case_name(plan_.cases[asked_[std::size_t(note.index)]]))
                                        : "starting");
    };
    return l;
  }

  // Gives the case at which the worker ended a record, or the first without one, so that this gets further.
  void blame(const Answer& answer) {
    if (answer.end == End::done) {
      for (const std::size_t n : asked_)
        if (records_[n].is_null()) end(n, "error", "the worker gave it no record");
      return;
    }
    const char* status = answer.end == End::hung ? "timeout" : answer.end == End::died ? "crashed" : "error";
    std::size_t at = asked_.size();
    if (answer.note.index >= 0 && answer.note.index < int(asked_.size())) at = std::size_t(answer.note.index);
    if (at == asked_.size() || !records_[asked_[at]].is_null())
      for (at = 0; at < asked_.size() && !records_[asked_[at]].is_null();) ++at;
    if (at < asked_.size()) end(asked_[at], status, answer.reason);
  }

  void end(std::size_t n, const char* status, const std::string& reason) {
    records_[n] = record_of(plan_.cases[n], status, reason);
    records_[n]["environment"] = plan_.environment.at("id");
  }

  const LaunchPlan& plan_;
  Supervisor supervisor_;
  std::vector<Json> records_;
  std::vector<std::size_t> asked_;  // by index in the request
};

}  // namespace

std::vector<Json> launch(const LaunchPlan& plan) { return Launch(plan).go(); }

}  // namespace cfdmark
